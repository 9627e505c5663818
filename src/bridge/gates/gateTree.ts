/** Fact of the store: the git tree that a job's gate judged, so that a later edit is told from what it saw. */
export function gateTreeFactKey(jobId: string): string {
  return `gate_tree:${jobId}`;
}
