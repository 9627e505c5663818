import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import { briefLine } from '../protocol/briefLine.ts';
import { jobSummary } from '../protocol/mcpJobSummary.ts';
import { statusLine } from '../protocol/statusLine.ts';
import type { BridgeApi } from '../server/bridgeApi.ts';
import { isOver, isSuccess } from '../server/toolAnswers.ts';
import type { CliContext } from './cliContext.ts';
import { printJson, printText } from './print.ts';

const WAIT_EXIT = { allDone: 0, unsuccessful: 1, neverAppeared: 2, timeout: 3 } as const;

/** A submit and the command that waits for it may overtake each other; longer than this is a wrong id. */
const APPEAR_LIMIT_MS = 30_000;
const APPEAR_POLL_MS = 200;
/** A wait longer than this is asked for again: timers have a limit. */
const WAIT_SLICE_MS = 3_600_000;

export interface WaitForJobsOptions {
  /** As typed: whole ids, or beginnings or ends of them. */
  readonly ids: readonly string[];
  /** Print when all have ended, not each at its end. */
  readonly isPrintedAtEnd: boolean;
  readonly isJson: boolean;
  readonly timeoutMs: number | null;
  readonly bridge: BridgeApi;
  readonly context: CliContext;
  readonly appearLimitMs?: number;
}

/** `delegate wait`: prints each job as it ends and returns the exit code. */
export async function waitForJobs(options: WaitForJobsOptions): Promise<number> {
  const { bridge, timeoutMs } = options;
  const startMs = performance.now();
  const deadlineMs = timeoutMs === null ? Number.POSITIVE_INFINITY : startMs + timeoutMs;
  const appearDeadlineMs = startMs + (options.appearLimitMs ?? APPEAR_LIMIT_MS);
  const unseen = new Set(options.ids);
  const running = new Set<string>();
  const ended = new Map<string, JobRecord>();
  for (;;) {
    for (const typed of unseen) {
      const job = findJob(bridge, typed);
      if (job === null) continue;
      unseen.delete(typed);
      running.add(job.id);
    }
    for (const id of running) {
      const job = bridge.job(id);
      if (!isOver(job)) continue;
      running.delete(id);
      if (ended.has(id)) continue;
      ended.set(id, job);
      if (!options.isPrintedAtEnd) print(job, options);
    }
    if (unseen.size === 0 && running.size === 0) break;
    const nowMs = performance.now();
    if (nowMs >= deadlineMs) {
      const open = [
        running.size === 0 ? null : `not ended: ${[...running].join(', ')}`,
        unseen.size === 0 ? null : `not known: ${[...unseen].join(', ')}`,
      ].filter((part) => part !== null);
      return giveUp(options, ended, `The time is over; ${open.join('; ')}`, WAIT_EXIT.timeout);
    }
    if (unseen.size > 0 && nowMs >= appearDeadlineMs) {
      const message = `There is no job ${[...unseen].join(', ')}.`;
      return giveUp(options, ended, message, WAIT_EXIT.neverAppeared);
    }
    const leftMs = Math.max(1, Math.min(deadlineMs - nowMs, WAIT_SLICE_MS));
    const sliceMs = unseen.size > 0 ? Math.min(leftMs, APPEAR_POLL_MS) : leftMs;
    if (running.size === 0) await delay(sliceMs);
    else await bridge.wait([...running], { mode: 'any', timeoutMs: sliceMs });
  }
  if (options.isPrintedAtEnd) for (const job of ended.values()) print(job, options);
  return [...ended.values()].every(isSuccess) ? WAIT_EXIT.allDone : WAIT_EXIT.unsuccessful;
}

/** What has ended by then is printed all the same. */
function giveUp(
  options: WaitForJobsOptions,
  ended: ReadonlyMap<string, JobRecord>,
  message: string,
  exitCode: number,
): number {
  if (options.isPrintedAtEnd) for (const job of ended.values()) print(job, options);
  options.context.stderr.write(`${message}\n`);
  return exitCode;
}

function print(job: JobRecord, { isJson, context }: WaitForJobsOptions): void {
  if (isJson) printJson(context, jobSummary(job, context.now()));
  else
    printText(context, `${job.id} ${briefLine(job.task, 60)}: ${statusLine(job, context.now())}`);
}

/** Null for a job that may yet appear; an id that fits several jobs will never fit one, so that is thrown at once. */
function findJob(bridge: BridgeApi, typed: string): JobRecord | null {
  try {
    return bridge.job(typed);
  } catch (error) {
    if (BridgeError.is(error, 'unknown_job')) return null;
    throw error;
  }
}

function delay(timeMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, timeMs);
  });
}
