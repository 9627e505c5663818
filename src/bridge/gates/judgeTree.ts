import { join } from 'node:path';
import { createHash } from 'node:crypto';
import type { GateConfig } from '../../config/schema.ts';
import type { ChangedFile, GateResult } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { changedPaths, matchingPaths, withoutLeave } from './protectedPaths.ts';
import { runGate } from './runGate.ts';
import { jobDir } from '../jobs/jobPaths.ts';
import type { HostGuard } from '../processes/hostGuard.ts';

export interface GateOptions {
  readonly context: BridgeContext;
  readonly jobId: string;
  readonly guard: HostGuard;
  readonly name: string;
  readonly gate: GateConfig;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The verdict on what the job left: by the exit status alone, and not even run when protected files were changed without leave. */
export async function judgeTree(
  options: GateOptions,
  files: readonly ChangedFile[] | null,
  mayChange: readonly string[],
  base: GateResult['base'],
): Promise<GateResult> {
  const { name, gate } = options;
  const touched = matchingPaths(changedPaths(files ?? []), gate.protect);
  const forbidden = withoutLeave(touched, mayChange);
  const shared = {
    name,
    kind: gate.kind,
    base,
    covers: 'exact' as const,
    protectedChanged: touched,
  };
  if (forbidden.length > 0) {
    return {
      ...shared,
      status: 'tampered',
      exit: null,
      durationS: null,
      tail: `The job changed files that decide the gate: ${forbidden.join(', ')}. It was not run.`,
    };
  }
  const run = await runGate({ ...toRun(options), logFile: logFile(options) });
  return {
    ...shared,
    status: run.exit === 0 ? 'passed' : 'failed',
    exit: run.exit,
    durationS: run.durationS,
    tail: run.isTimedOut
      ? `${run.tail}\nThe gate reached its limit of ${gate.timeout_s} s.`
      : run.tail,
  };
}

/** Whether the gate was red before the job, asked once per commit. Runs in a tree that still equals the base. */
export async function judgeBase(
  options: GateOptions,
  repoRoot: string,
  base: string,
): Promise<GateResult['base']> {
  const key = `baseline:${createHash('sha256').update([repoRoot, base, options.gate.run].join('\0')).digest('hex')}`;
  const known = options.context.store.fact(key)?.value;
  if (known === 'red' || known === 'green') return known;
  const run = await runGate({ ...toRun(options), logFile: logFile(options) });
  if (options.signal.aborted || run.isTimedOut || run.exit === null) return 'unknown';
  const verdict = run.exit === 0 ? 'green' : 'red';
  options.context.store.setFact(key, verdict, new Date());
  return verdict;
}

function toRun(options: GateOptions) {
  return {
    jobId: options.jobId,
    guard: options.guard,
    command: options.gate.run,
    cwd: options.cwd,
    env: options.context.env,
    timeoutMs: options.gate.timeout_s * 1000,
    signal: options.signal,
  };
}

function logFile(options: GateOptions): string {
  return join(jobDir(options.context.stateDir, options.jobId), 'gate.log');
}
