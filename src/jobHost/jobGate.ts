import { BridgeError } from '../base/bridgeError.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { GateResult, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { gateTreeFactKey } from '../bridge/gates/gateTree.ts';
import { judgeBase, judgeTree, type GateOptions } from '../bridge/gates/judgeTree.ts';
import type { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import type { HostGuard } from '../bridge/processes/hostGuard.ts';
import { treeHash } from '../bridge/worktrees/treeHash.ts';
import type { JobProgress } from './jobProgress.ts';
import type { JobTree } from './jobTree.ts';
import { missingFoldersWarning } from './missingFolders.ts';
import type { StopSignal } from './stopSignal.ts';

export interface JobGateDeps {
  readonly context: BridgeContext;
  readonly job: StoredJob;
  readonly guard: HostGuard;
  readonly log: JobLogWriter;
  readonly progress: JobProgress;
  readonly stop: StopSignal;
  readonly config: EffectiveConfig;
  readonly tree: JobTree;
}

/** The check that the job named, on its tree before the work and after each round. */
export class JobGate {
  readonly #deps: JobGateDeps;

  constructor(deps: JobGateDeps) {
    this.#deps = deps;
  }

  async judgeBase(): Promise<GateResult['base']> {
    const { job, tree } = this.#deps;
    const options = this.#options();
    const isOwnTree = job.record.isolation === 'worktree' && job.spec.resume === null;
    if (options === null || !tree.record || !options.gate.baseline || !isOwnTree) return 'unknown';
    const verdict = await judgeBase(options, job.spec.repoRoot ?? '', tree.record.base);
    const left = (await tree.changes())?.filter((file) => file.change !== 'ignored') ?? [];
    if (left.length > 0) {
      const named = left.slice(0, 5).map((file) => file.path);
      this.#warn(`The gate itself changes files of the repository: ${named.join(', ')}.`);
    }
    return verdict;
  }

  async judge(base: GateResult['base']): Promise<GateResult | null> {
    const { job, tree, stop, log } = this.#deps;
    const options = this.#options();
    if (options === null) return null;
    this.#update((record) => ({ ...record, status: 'gating' }));
    stop.activity();
    const files = await tree.changes();
    const result = await judgeTree(options, files, job.spec.request.mayChange ?? [], base);
    await this.#noteJudged(result);
    log.transcript(
      `[gate] ${result.name}: ${result.status}${result.exit === null ? '' : ` (exit ${result.exit})`}`,
    );
    const { name, status, exit, durationS } = result;
    log.event('gate', { name, status, exit, duration_s: durationS });
    return result;
  }

  /** Keeps which tree was judged, and says what may explain a red gate in a fresh tree. */
  async #noteJudged(result: GateResult): Promise<void> {
    const { context, job, tree } = this.#deps;
    if (!tree.record || !tree.against) return;
    const judged = await treeHash(tree.against);
    context.store.setFact(gateTreeFactKey(job.record.id), judged.tree, new Date());
    const { repoRoot } = job.spec;
    const warning =
      result.status === 'failed' && repoRoot !== null
        ? missingFoldersWarning(repoRoot, tree.record.root)
        : null;
    if (warning !== null) this.#warn(warning);
  }

  #options(): GateOptions | null {
    const { context, job, guard, config, tree, stop } = this.#deps;
    const name = job.spec.request.gate;
    if (name === undefined) return null;
    const gate = config.gates[name];
    if (gate === undefined) {
      throw new BridgeError('unknown_gate', `The gate ${name} is no longer in models.yaml.`, {
        hint: 'Put it back, or run another gate on the finished job.',
      });
    }
    return {
      context,
      jobId: job.record.id,
      guard,
      name,
      gate,
      cwd: tree.runCwd,
      signal: stop.signal,
    };
  }

  #warn(text: string): void {
    this.#update((record) => ({ ...record, warnings: [...record.warnings, text] }));
  }

  #update(change: (record: JobRecord) => JobRecord): void {
    this.#deps.progress.update(change);
  }
}
