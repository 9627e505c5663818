/** Runs a program without a network. */
export interface NetworkJail {
  /** Name of the program that makes it: `bwrap`, `sandbox-exec`. */
  readonly name: string;
  /**
   * The command that runs `command` in the jail: everything readable that was readable but secrets, writable only `writable`
   * and a folder for temporary files, no network.
   */
  wrap(
    command: string,
    args: readonly string[],
    options: JailOptions,
  ): { readonly command: string; readonly args: readonly string[] };
}

interface JailOptions {
  readonly cwd: string;
  /** Real paths; what does not exist is left out. */
  readonly writable: readonly string[];
  /** Folder that the program has for temporary files; null: one that goes with it, where the platform has such. */
  readonly tmpDir: string | null;
}
