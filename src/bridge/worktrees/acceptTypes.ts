/** Why a file of the selection cannot be taken as it is. */
export type ConflictReason =
  /** The user and the job changed the same lines. */
  | 'overlap'
  /** An editor holds unsaved text of the file. */
  | 'dirty_editor'
  /** A file on one side, a link, a directory or something else on the other. */
  | 'type'
  /** The job changed what the user has deleted or moved. */
  | 'deleted_by_user'
  /** The job deletes or moves what the user has changed. */
  | 'deleted_by_job'
  /** The job adds a file where the user has another one. */
  | 'exists'
  /** Both changed it and it is no text. */
  | 'binary'
  /** Outside the workspace of the job, inside a git directory, or behind a link. */
  | 'forbidden'
  /** The finished text from the merge editor still has conflict markers. */
  | 'unresolved'
  /** Somebody wrote the file while the accept was under way. */
  | 'changed_meanwhile'
  /** The user changed the file after the accept that is to be undone. */
  | 'changed_since';

export interface AcceptConflict {
  readonly path: string;
  readonly reason: ConflictReason;
  /** One sentence for a person. */
  readonly message: string;
}

export type AppliedHow = 'written' | 'merged' | 'deleted' | 'renamed' | 'mode' | 'symlink';

export interface AppliedFile {
  readonly path: string;
  readonly how: AppliedHow;
}

export interface SkippedFile {
  readonly path: string;
  /** `same`: the user's file has the change already. The others are reported and never written. */
  readonly reason: 'same' | 'submodule' | 'nested' | 'ignored';
}

export interface AcceptResult {
  /** `refused`: nothing was written because of `conflicts`. `nothing`: the checkout has all of it already. */
  readonly status: 'applied' | 'refused' | 'nothing' | 'dry-run';
  readonly applied: AppliedFile[];
  readonly conflicts: AcceptConflict[];
  readonly skipped: SkippedFile[];
  /** Ref with the versions before; null when nothing was written. */
  readonly undoRef: string | null;
  /** The commit made by `how: 'branch'`. */
  readonly commit: string | null;
  /** `merged`: at least one file holds content that no gate has seen. */
  readonly coverage: 'exact' | 'merged';
}
