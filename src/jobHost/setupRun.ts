import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { runGate } from '../bridge/gates/runGate.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import type { HostGuard } from '../bridge/processes/hostGuard.ts';
import { noteSetupOutput } from '../bridge/worktrees/setupOutput.ts';
import { WorktreeGit } from '../bridge/worktrees/worktreeGit.ts';
import type { WorktreeRecord } from '../protocol/job.ts';

const SETUP_LIMIT_MS = 15 * 60 * 1000;

/**
 * Runs `worktrees.setup` in a new worktree (from the user's file, or a trusted workspace's: nothing else is ever merged). What it makes is no
 * output of the job. A job whose tree could not be set up fails before its first model call.
 * @throws BridgeError setup_failed
 */
export async function runSetup(options: {
  context: BridgeContext;
  jobId: string;
  guard: HostGuard;
  command: string;
  tree: WorktreeRecord;
  signal: AbortSignal;
}): Promise<WorktreeRecord['setup']> {
  const { context, jobId, guard, command, tree, signal } = options;
  const run = await runGate({
    jobId,
    guard,
    command,
    cwd: tree.root,
    env: context.env,
    timeoutMs: SETUP_LIMIT_MS,
    logFile: join(jobDir(context.stateDir, jobId), 'setup.log'),
    signal,
  });
  signal.throwIfAborted();
  if (run.exit !== 0) {
    const how = run.isTimedOut ? 'took too long' : `ended with exit status ${run.exit ?? 'none'}`;
    throw new BridgeError(
      'setup_failed',
      `worktrees.setup (${command}) ${how}: ${run.tail.trim().split('\n').slice(-3).join(' | ')}`,
      {
        hint: 'Its whole output is in setup.log of the job; correct worktrees.setup, then delegate again.',
      },
    );
  }
  await noteSetupOutput({
    git: new WorktreeGit(await context.git(), tree.root),
    root: tree.root,
    base: tree.base,
    signal,
  });
  return { command, exit: run.exit };
}
