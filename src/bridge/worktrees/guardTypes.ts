/** A file of the git directory as it was; null = it was not there. */
export type GuardedFile =
  { readonly mode: number; readonly base64: string } | { readonly link: string };

/** What `captureRepository` saw. Plain data: it is kept with the job, so that another process can compare later. */
export interface RepositoryState {
  readonly repoRoot: string;
  readonly commonDir: string;
  /** Config files, hooks, info: by path below the common git directory. */
  readonly files: Readonly<Record<string, GuardedFile>>;
  readonly refs: Readonly<Record<string, string>>;
  /** Branch (full name) or commit that HEAD of each working tree names, by path of the HEAD file. */
  readonly heads: Readonly<Record<string, string>>;
  readonly headLogSizes: Readonly<Record<string, number>>;
  /** Stash entries, newest first. */
  readonly stash: readonly string[];
}

export interface RestoreReport {
  /** Put back; each a sentence part for the record's `tampered`. */
  readonly restored: string[];
  /** Changed while the job ran and left as it is, since it may be the user's own work; for the record's `warnings`. */
  readonly unsure: string[];
}

export interface RestoreOptions {
  readonly jobId: string;
  /** Short name of the job's own branch. */
  readonly ownBranch: string;
  /** Name of the job's worktree below `worktrees/` in the git directory (last part of its git dir). */
  readonly worktreeId: string;
  /** The job's folder: what is put back is first copied to `<keepDir>/tampered/`. */
  readonly keepDir: string;
  readonly stateDir: string;
}
