import '../bridge/processes/silenceSqliteWarning.ts';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeContext } from '../bridge/bridgeContext.ts';
import { QueueKeeper } from '../bridge/queueKeeper.ts';
import { removeHalfMadeTrees } from '../bridge/jobs/halfMadeTrees.ts';
import { hostEndedFile, hostLockFile } from '../bridge/jobs/jobPaths.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import type { JobStore } from '../bridge/jobs/jobStore.ts';
import { seconds } from '../bridge/jobs/endRecord.ts';
import { startHostGuard } from '../bridge/processes/hostGuard.ts';
import { HOST_MARKER } from '../bridge/processes/jobProcesses.ts';
import { tryKernelLock } from '../bridge/processes/kernelLock.ts';
import { JobRun } from './jobRun.ts';
import { StopSignal, type Stop } from './stopSignal.ts';

const CANCEL_POLL_MS = 100;

/** The process of one job: `jobHost <job id>`. It takes the job, runs it to its receipt, admits the next and exits. */
async function main(jobId: string): Promise<void> {
  const context = new BridgeContext({
    env: process.env,
    homeDir: homedir(),
    configFile: null,
    isRestricted: false,
  });
  const lock = tryKernelLock(hostLockFile(context.stateDir, jobId));
  // Somebody else has this job.
  if (lock === null) return;
  const job = claim(context.store, jobId);
  if (job === null) {
    lock.release();
    return;
  }
  const host = new BridgeContext({
    // Marks git and its filters, so that they do not outlive this process.
    env: { ...process.env, [HOST_MARKER]: jobId },
    homeDir: homedir(),
    configFile: job.spec.configFile,
    isRestricted: false,
  });
  const guard = startHostGuard(jobId, hostEndedFile(context.stateDir, jobId));
  const stop = new StopSignal({ timeoutS: job.spec.timeoutS, idleTimeoutS: job.spec.idleTimeoutS });
  process.on('SIGTERM', () => stop.raise(interrupted('SIGTERM')));
  process.on('SIGINT', () => stop.raise(interrupted('SIGINT')));
  const poll = setInterval(() => watchCancel(context.store, jobId, stop), CANCEL_POLL_MS);
  try {
    await new JobRun({ context: host, job, guard, stop }).run();
    await sweepHalfMade(host);
  } finally {
    clearInterval(poll);
    stop.dispose();
    await Promise.race([guard.close(), delay(5_000)]);
    lock.release();
  }
  await admitNext(host);
  host.dispose();
  context.dispose();
}

/** Hosts before this one may have been killed while they made a worktree. */
async function sweepHalfMade(context: BridgeContext): Promise<void> {
  const left = await removeHalfMadeTrees({
    git: await context.git(),
    store: context.store,
    stateDir: context.stateDir,
    baseDirOf: (repoRoot) => worktreesDir(context, repoRoot),
  });
  for (const what of left) process.stderr.write(`Not removed yet: ${what}\n`);
}

function worktreesDir(context: BridgeContext, repoRoot: string): string {
  const { base_dir: baseDir } = context.loadConfig(repoRoot).config.worktrees;
  return baseDir === 'auto' ? join(context.stateDir, 'worktrees') : baseDir;
}

/** Takes the job, or null when it is not there to be taken any more. */
function claim(store: JobStore, jobId: string): StoredJob | null {
  return store.transaction(() => {
    const job = store.find(jobId);
    if (job === null || job.record.status !== 'starting' || job.isHosted) return null;
    const now = new Date();
    store.update(
      jobId,
      (record) => ({
        ...record,
        startedAt: now.toISOString(),
        queuedS: seconds(now.getTime() - Date.parse(record.createdAt)),
        host: { pid: process.pid, startedAt: now.toISOString(), alive: true },
      }),
      { isHosted: true, startingUntilMs: null },
    );
    return store.find(jobId);
  });
}

function watchCancel(store: JobStore, jobId: string, stop: StopSignal): void {
  const by = store.find(jobId)?.cancelBy ?? null;
  if (by === null) return;
  stop.raise({
    status: 'cancelled',
    failure: {
      kind: 'cancelled',
      message: `Cancelled by ${by}.`,
      hint: 'What it had changed until then, if anything, is kept in its worktree.',
    },
  });
}

/** A container that stops, a log-out: the end is told, so that nobody has to guess. */
function interrupted(signal: string): Stop {
  return {
    status: 'lost',
    failure: {
      kind: 'lost',
      message: `The system told the process of the job to end (${signal}): a shutdown, a log-out or a stopped container.`,
      hint: 'What it did until then is kept in its worktree; resume the job to go on.',
    },
  };
}

/** This job's place is free now. */
async function admitNext(context: BridgeContext): Promise<void> {
  const installation = { execPath: process.execPath, distDir: dirname(process.argv[1] ?? '') };
  const queue = new QueueKeeper(context, installation, process.env);
  queue.run();
  await queue.close();
}

const jobId = process.argv[2];
if (jobId === undefined) {
  process.stderr.write('usage: jobHost <job id>\n');
  process.exitCode = 2;
} else {
  main(jobId).catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  });
}
