import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { runCommand } from '../../contributions.ts';
import type { GateResult, JobRecord } from '../../protocol/job.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArgument } from './jobArgument.ts';
import { jobName } from './jobName.ts';
import { recordOf } from './recordOf.ts';

const SHOWN_MS = 8_000;

/** Runs the gate of a job on what is in its tree now; of a job that had none, one that is chosen. Answers with the verdict. */
export async function runGateCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<GateResult['status'] | undefined> {
  const { link } = parts;
  const jobId = await jobArgument(args, parts, {
    title: 'Run the gate of which job?',
    // What was accepted is judged where it is now.
    fits: ({ worktree, finishedAt, review }) =>
      finishedAt !== null && worktree !== null && (worktree.kept || review.files.length > 0),
    none: 'No job has a result that a gate could look at.',
  });
  if (jobId === undefined) return undefined;
  const job = await recordOf(jobId, parts);
  const gate = await gateOf(job, parts);
  if (gate === undefined) return undefined;
  const judged = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Gate ${sanitiseLine(gate, 60)} on ${jobName(job)}`,
      cancellable: true,
    },
    async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const answer = await link.call('run_gate', { jobId, gate }, stop.signal);
      return answer.job;
    },
  );
  void tell(judged);
  return judged.gate?.status;
}

async function gateOf(
  { gate, cwd }: JobRecord,
  { link }: Pick<HostParts, 'link'>,
): Promise<string | undefined> {
  if (gate !== null && gate.status !== 'none') return gate.name;
  const { gates } = await link.call('delegate_facts', { cwd });
  if (gates.length === 0)
    throw new BridgeError('unknown_gate', 'No gate is configured here.', {
      hint: 'Name a check under "gates" in models.yaml.',
    });
  const items = gates.map(({ name, run, kind }) => ({
    label: name,
    description: sanitiseLine(run ?? kind, 120),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Run which gate?' });
  return chosen?.label;
}

/** A pass is seen in the row; what did not pass is said. */
async function tell(job: JobRecord): Promise<void> {
  const { gate } = job;
  if (gate === null) return;
  const name = sanitiseLine(gate.name, 60);
  if (gate.status === 'passed') {
    vscode.window.setStatusBarMessage(`$(pass) Gate ${name} passed`, SHOWN_MS);
    return;
  }
  const why =
    gate.status === 'tampered'
      ? 'was not run: the job changed files that decide it'
      : gate.exit === null
        ? 'did not finish'
        : `failed with exit status ${gate.exit}`;
  const OPEN_LOG = 'Open Log';
  const chosen = await vscode.window.showWarningMessage(
    `Gate ${name} ${why}: ${jobName(job)}.`,
    OPEN_LOG,
  );
  if (chosen === OPEN_LOG) await runCommand('openLog', job.id);
}
