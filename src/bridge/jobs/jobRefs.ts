/** The ref that keeps the state in which a job without isolation left the checkout. */
export function afterRefOf(jobId: string): string {
  return `refs/delegate/after/${jobId}`;
}
