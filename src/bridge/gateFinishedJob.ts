import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import type { GateResult, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { changedPaths, matchingPaths, withoutLeave } from './gates/protectedPaths.ts';
import { runGate } from './gates/runGate.ts';
import { jobDir } from './jobs/jobPaths.ts';
import { isFinal } from './jobs/status.ts';
import { startHostGuard } from './processes/hostGuard.ts';
import { listChanges } from './worktrees/changeList.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** Runs a gate on the tree of a finished job as it is now, after a person edited it, say. */
export async function gateFinishedJob(
  context: BridgeContext,
  job: JobRecord,
  name: string | null,
): Promise<JobRecord> {
  if (!isFinal(job.status))
    throw new BridgeError('wrong_state', `The job ${job.id} is still ${job.status}.`, {
      hint: 'Wait for its end.',
    });
  const gateName = name ?? job.gate?.name ?? null;
  if (gateName === null)
    throw new BridgeError('bad_argument', 'The job had no gate.', {
      hint: 'Name the gate to run.',
    });
  const stored = context.store.find(job.id);
  const config = context.loadConfig(stored?.spec.repoRoot ?? null).config;
  const gate = config.gates[gateName];
  if (gate === undefined) {
    throw new BridgeError('unknown_gate', `There is no gate ${gateName}.`, {
      hint: `Known gates: ${Object.keys(config.gates).join(', ')}.`,
    });
  }
  const tree = job.worktree;
  if (tree === null || !tree.kept || job.runCwd === null) {
    throw new BridgeError('worktree_gone', `The job ${job.id} has no tree any more.`, {
      hint: 'Restore it first, if it was rejected.',
    });
  }
  const files =
    job.isolation === 'none'
      ? job.filesChanged
      : await listChanges({
          git: new WorktreeGit(await context.git(), tree.root),
          root: tree.root,
          base: tree.base,
        });
  const protectedChanged = matchingPaths(changedPaths(files), gate.protect);
  const forbidden = withoutLeave(protectedChanged, stored?.spec.request.mayChange ?? []);
  const shared = {
    name: gateName,
    kind: gate.kind,
    base: job.gate?.base ?? ('unknown' as const),
    covers: 'exact' as const,
    protectedChanged,
  };
  let result: GateResult;
  if (forbidden.length > 0) {
    result = {
      ...shared,
      status: 'tampered',
      exit: null,
      durationS: null,
      tail: `Protected files were changed: ${forbidden.join(', ')}. The gate was not run.`,
    };
  } else {
    const guard = startHostGuard(job.id);
    try {
      const run = await runGate({
        jobId: job.id,
        guard,
        command: gate.run,
        cwd: job.runCwd,
        env: context.env,
        timeoutMs: gate.timeout_s * 1000,
        logFile: join(jobDir(context.stateDir, job.id), 'gate.log'),
        signal: new AbortController().signal,
      });
      result = {
        ...shared,
        status: run.exit === 0 ? 'passed' : 'failed',
        exit: run.exit,
        durationS: run.durationS,
        tail: run.tail,
      };
    } finally {
      await guard.close();
    }
  }
  return context.store.update(job.id, (present) => ({
    ...present,
    gate: result,
    filesChanged: [...files],
  }));
}
