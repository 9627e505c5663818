import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { newJobId } from '../base/ids.ts';
import { LineSplitter } from '../base/lineSplitter.ts';
import { sanitiseLine } from '../base/sanitise.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { gateNamed } from './gates/gateNamed.ts';
import { type GateRunResult, runGate } from './gates/runGate.ts';
import { removeLeftTrials, TRIAL_PREFIX } from './gates/leftTrials.ts';
import { hostLockFile } from './jobs/jobPaths.ts';
import { startHostGuard } from './processes/hostGuard.ts';
import { tryKernelLock } from './processes/kernelLock.ts';
import { cleanUpWorktree } from './worktrees/cleanUp.ts';
import { createWorktree } from './worktrees/createWorktree.ts';
import type { CreatedWorktree } from './worktrees/furnishWorktree.ts';
import { findRepository } from './worktrees/repository.ts';

export interface TriedGate {
  readonly status: 'passed' | 'failed';
  /** Null: it was ended by its time limit, or could not be started. */
  readonly exit: number | null;
  readonly tail: string;
  readonly durationS: number;
  readonly commit: string;
  readonly warnings: readonly string[];
}

export interface TryGateOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Each line that is printed, made safe to show. */
  readonly onLine?: (line: string) => void;
}

const SETUP_LIMIT_MS = 15 * 60 * 1000;
const MAX_LINE_LENGTH = 300;
const MAX_BUFFERED_LINE = 64 * 1024;

/**
 * Runs a gate on what is committed, as a job's gate would be run on an unchanged tree: a worktree of HEAD of its own, set up as that of
 * a job is, and gone at the end. Only the saved configuration counts, and of a workspace's only when it is trusted.
 * @throws BridgeError unknown_gate, not_a_repository, no_commits, setup_failed, cancelled
 */
export async function tryGate(
  context: BridgeContext,
  name: string,
  options: TryGateOptions,
): Promise<TriedGate> {
  const { signal = new AbortController().signal } = options;
  const git = await context.git();
  const { repoRoot, commonDir } = await findRepository(git, options.cwd, signal);
  const loaded = context.loadConfig(repoRoot);
  const gate = gateNamed(loaded, name);
  const { stateDir } = context;
  const baseDir = treesDir(context, loaded.config);
  await removeLeftTrials({ git, stateDir, baseDir });

  const id = newJobId(TRIAL_PREFIX, new Date());
  // Held as long as the trial runs: whoever finds the tree without it may take it away.
  const lockFile = hostLockFile(stateDir, id);
  const lock = tryKernelLock(lockFile);
  if (lock === null) throw new BridgeError('internal', `The lock of ${id} is taken.`);
  const guard = startHostGuard(id);
  let tree: CreatedWorktree | null = null;
  try {
    const { include, submodules, setup } = loaded.config.worktrees;
    tree = await createWorktree({
      ...{ git, cwd: options.cwd, jobId: id, baseDir, submodules, stateDir, signal },
      include: include === 'none' ? [] : include,
      from: 'head',
    });
    const tell = (line: string): void => {
      const text = sanitiseLine(line, MAX_LINE_LENGTH);
      if (text !== '') options.onLine?.(text);
    };
    const run = async (command: string, cwd: string, timeoutMs: number): Promise<GateRunResult> => {
      const lines = new LineSplitter({ maxLength: MAX_BUFFERED_LINE, onLine: tell });
      const result = await runGate({
        ...{ jobId: id, guard, env: context.env, logFile: null, signal },
        ...{ command, cwd, timeoutMs },
        onOutput: (chunk) => lines.push(chunk),
      });
      lines.end();
      throwIfStopped(signal, name);
      return result;
    };
    if (setup !== '') {
      tell(`worktrees.setup: ${setup}`);
      const done = await run(setup, tree.root, SETUP_LIMIT_MS);
      if (done.exit !== 0) throw setupFailed(setup, done);
    }
    tell(`${name}: ${gate.run}`);
    const ran = await run(gate.run, tree.runCwd, gate.timeout_s * 1000);
    return {
      status: ran.exit === 0 ? 'passed' : 'failed',
      exit: ran.exit,
      tail: ran.isTimedOut
        ? `${ran.tail}\nThe gate reached its limit of ${gate.timeout_s} s.`.trimStart()
        : ran.tail,
      durationS: ran.durationS,
      commit: tree.base,
      warnings: tree.warnings,
    };
  } catch (error) {
    throwIfStopped(signal, name);
    throw error;
  } finally {
    try {
      await guard.close();
      if (tree !== null) {
        const { root, branch } = tree;
        await cleanUpWorktree({ git, stateDir, commonDir, root, branch });
      }
    } finally {
      lock.release();
      rmSync(lockFile, { force: true });
    }
  }
}

function treesDir(context: BridgeContext, { worktrees }: EffectiveConfig): string {
  return worktrees.base_dir === 'auto' ? join(context.stateDir, 'worktrees') : worktrees.base_dir;
}

function throwIfStopped(signal: AbortSignal, name: string): void {
  if (signal.aborted)
    throw new BridgeError('cancelled', `The gate ${name} was stopped before its end.`);
}

function setupFailed(command: string, run: GateRunResult): BridgeError {
  const how = run.isTimedOut ? 'took too long' : `ended with exit status ${run.exit ?? 'none'}`;
  const said = run.tail.trim().split('\n').slice(-3).join(' | ');
  return new BridgeError('setup_failed', `worktrees.setup (${command}) ${how}: ${said}`, {
    hint: 'Correct worktrees.setup; every job would fail on it as well.',
  });
}
