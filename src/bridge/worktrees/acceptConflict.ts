import type { AcceptConflict, ConflictReason } from './acceptTypes.ts';

/** A conflict with its sentence; `detail` names the path it is about when that is not the file itself (an old name). */
export function acceptConflict(
  path: string,
  reason: ConflictReason,
  detail?: string,
): AcceptConflict {
  const name = detail ?? path;
  const messages: Record<ConflictReason, string> = {
    overlap: `You and the job changed the same lines of ${name}.`,
    dirty_editor: `${name} has unsaved changes in an editor; save it first.`,
    type: `${name} is a file on one side and a link, a folder or something else on the other.`,
    deleted_by_user: `You deleted or moved ${name}, which the job changed.`,
    deleted_by_job: `The job deletes or moves ${name}, which you changed.`,
    exists: `You have another file at ${name}, which the job adds.`,
    binary: `You and the job both changed ${name}, which is no text.`,
    forbidden: `${name} lies outside the folder of the job, in a git directory or behind a link, and is never written.`,
    unresolved: `The merged text of ${name} still has conflict markers.`,
    changed_meanwhile: `${name} changed while the accept was under way.`,
    changed_since: `${name} was changed after the accept and is left as it is.`,
  };
  return { path, reason, message: messages[reason] };
}
