/** Runs a program without a network. */
export interface NetworkJail {
  /** Name of the program that makes it: `bwrap`, `sandbox-exec`. */
  readonly name: string;
  /** The command that runs `command` in the jail: everything readable that was readable, writable only `writable`, no network. */
  wrap(
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly writable: readonly string[] },
  ): { readonly command: string; readonly args: readonly string[] };
}
