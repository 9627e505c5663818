import { runCommand } from '../../contributions.ts';
import type { PanelAction } from '../../protocol/jobPanel/panelActions.ts';

/**
 * What a button of the panel does: the command of the same name, on the panel's job. It asks, refuses and reports as everywhere. A job
 * that comes of it is shown at once.
 */
export async function runPanelAction(
  action: PanelAction,
  jobId: string,
  message?: string,
): Promise<void> {
  const job = { kind: 'job', jobId };
  const result = await (message === undefined
    ? runCommand(action, job)
    : runCommand(action, job, message));
  const startsAnother = action === 'resumeJob' || action === 'retryJob';
  if (startsAnother && typeof result === 'string') await runCommand('openJob', result);
}
