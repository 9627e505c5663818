import { BridgeError } from '../base/bridgeError.ts';
import { redactor } from '../config/secrets.ts';
import type { ChangedFile, Failure, GateResult, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import { createJobDir, jobDir } from '../bridge/jobs/jobPaths.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import { StorageReserve } from '../bridge/jobs/storageReserve.ts';
import { gateTreeFactKey } from '../bridge/gates/gateTree.ts';
import { treeHash } from '../bridge/worktrees/treeHash.ts';
import type { HostGuard } from '../bridge/processes/hostGuard.ts';
import type { RunnerEnd } from '../bridge/runners/runner.ts';
import { endJob, type JobParts, type Outcome } from './endJob.ts';
import { judgeBase, judgeTree, type GateOptions } from '../bridge/gates/judgeTree.ts';
import { JobProgress } from './jobProgress.ts';
import { setUpEndpoint } from './jobSetup.ts';
import { prepareTree, type JobTree } from './jobTree.ts';
import { MetricsWatch } from './metricsWatch.ts';
import { RepositoryWatch } from '../bridge/repositoryWatch.ts';
import { missingFoldersWarning } from './missingFolders.ts';
import { SessionRun } from './sessionRun.ts';
import { runSetup } from './setupRun.ts';
import type { Stop, StopSignal } from './stopSignal.ts';
import { checkToolCalls } from './toolCheck.ts';
import { watchTree } from './treeWatch.ts';

/** The life of one job from the moment its host holds the lock to its receipt. */
export class JobRun {
  readonly #context: BridgeContext;
  readonly #job: StoredJob;
  readonly #guard: HostGuard;
  readonly #stop: StopSignal;
  #log: JobLogWriter;
  #progress: JobProgress;
  readonly #parts: JobParts = {
    tree: null,
    session: null,
    endpoint: null,
    metrics: null,
    repository: null,
    readOnlyTree: null,
    setup: null,
    reserve: null,
  };
  readonly #onFull = (): void => this.#stop.raise(diskFull());

  constructor(options: {
    context: BridgeContext;
    job: StoredJob;
    guard: HostGuard;
    stop: StopSignal;
  }) {
    this.#context = options.context;
    this.#job = options.job;
    this.#guard = options.guard;
    this.#stop = options.stop;
    const dir = createJobDir(this.#context.stateDir, this.#id);
    this.#log = new JobLogWriter(dir, (text) => text, this.#onFull);
    this.#progress = this.#startProgress((text) => text);
  }

  get #id(): string {
    return this.#job.record.id;
  }

  /** Never throws: whatever happens ends in a receipt. */
  async run(): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.#work();
    } catch (error) {
      outcome = { failure: this.#stop.stop?.failure ?? toFailure(error), gate: null };
      if (outcome.failure?.kind === 'internal')
        this.#log.transcript(`[error] ${(error as Error).stack ?? String(error)}`);
    }
    await endJob({
      ...outcome,
      context: this.#context,
      job: this.#job,
      log: this.#log,
      progress: this.#progress,
      stop: this.#stop.stop,
      parts: this.#parts,
    });
  }

  async #work(): Promise<Outcome> {
    const { store } = this.#context;
    const { signal } = this.#stop;
    this.#parts.reserve = new StorageReserve(jobDir(this.#context.stateDir, this.#id));
    const endpoint = await setUpEndpoint(this.#context, this.#job, signal);
    this.#parts.endpoint = endpoint;
    this.#useSecrets(endpoint.resolved.secretValues);
    const previous = this.#job.spec.resume
      ? (store.find(this.#job.spec.resume.jobId)?.record ?? null)
      : null;
    const tree = await prepareTree({
      context: this.#context,
      job: this.#job,
      config: endpoint.config.config,
      previous,
      signal,
    });
    this.#parts.tree = tree;
    this.#update((record) => ({
      ...record,
      worktree: tree.record,
      runCwd: tree.runCwd,
      locality: endpoint.locality,
      context: { ...record.context, window: endpoint.contextWindow },
      warnings: [
        ...record.warnings,
        ...endpoint.config.problems.filter((p) => p.severity === 'error').map((p) => p.message),
        ...tree.warnings,
      ],
    }));
    await this.#setUpTree(tree, endpoint.config.config.worktrees.setup);
    this.#parts.repository = await RepositoryWatch.start(this.#context, this.#job);
    const toolWarning = await checkToolCalls(
      this.#context,
      endpoint,
      this.#job.spec.servedModel,
      signal,
    );
    if (toolWarning !== null) this.#warn(toolWarning);
    const base = await this.#judgeBase();
    if (this.#job.record.readOnly) this.#parts.readOnlyTree = await watchTree(tree);
    this.#parts.metrics = await MetricsWatch.start(this.#context.store, this.#id, endpoint);
    signal.throwIfAborted();
    this.#update((record) => ({ ...record, status: 'running' }));
    this.#log.transcript(
      `[start] endpoint=${this.#job.record.endpoint} (${endpoint.entry.base_url}) model=${this.#job.spec.servedModel} ` +
        `context=${endpoint.contextWindow ?? '?'} cwd=${tree.runCwd}`,
    );
    const { endpoint: name, fallback } = this.#job.record;
    this.#log.event('start', {
      endpoint: name,
      model: this.#job.spec.servedModel,
      context: endpoint.contextWindow,
      fallback,
    });
    return this.#rounds(base);
  }

  async #setUpTree(tree: JobTree, command: string): Promise<void> {
    const isNew = tree.record?.id === this.#id && this.#job.record.isolation === 'worktree';
    if (!isNew || tree.record === null || command === '' || this.#job.record.readOnly) return;
    const setup = await runSetup({
      context: this.#context,
      jobId: this.#id,
      guard: this.#guard,
      command,
      tree: tree.record,
      signal: this.#stop.signal,
    });
    this.#parts.setup = setup;
    this.#stop.activity();
    this.#update((record) => ({
      ...record,
      worktree: record.worktree === null ? null : { ...record.worktree, setup },
    }));
  }

  /** The session, the gate, and as many repairs as were allowed. */
  async #rounds(base: GateResult['base']): Promise<Outcome> {
    const session = this.#openSession();
    const allowed = this.#job.spec.request.repairRounds ?? 0;
    let task = this.#job.record.task;
    let sessionId = this.#job.spec.resume?.sessionId ?? null;
    for (let round = 0; ; round += 1) {
      const end = await session.run(task, sessionId);
      const failure = this.#stop.stop?.failure ?? this.#failureOf(end, session);
      if (failure !== null) return { failure, gate: null };
      const gate = await this.#judge(base);
      sessionId = this.#context.store.find(this.#id)?.record.sessionId ?? null;
      if (gate?.status !== 'failed' || round >= allowed || sessionId === null)
        return { failure: null, gate };
      task = repairTask(gate);
      this.#log.transcript(
        `[repair ${round + 1}] the gate ${gate.name} failed with exit ${gate.exit ?? '?'}`,
      );
      this.#log.event('repair', { round: round + 1, of: allowed, gate: gate.name });
      this.#update((record) => ({ ...record, status: 'running', repairRounds: round + 1, gate }));
    }
  }

  #openSession(): SessionRun {
    if (this.#parts.tree === null || this.#parts.endpoint === null)
      throw new BridgeError('internal', 'The job is not set up.');
    this.#parts.session = new SessionRun({
      context: this.#context,
      job: this.#job,
      guard: this.#guard,
      log: this.#log,
      progress: this.#progress,
      stop: this.#stop,
      endpoint: this.#parts.endpoint,
      runCwd: this.#parts.tree.runCwd,
      treeRoot: this.#parts.tree.record?.root ?? null,
    });
    return this.#parts.session;
  }

  /** A session that the bridge carried no request of ran elsewhere, whatever it says. */
  #failureOf(end: RunnerEnd, session: SessionRun): Failure | null {
    if (session.requests > 0) return end.failure;
    if (end.failure !== null && end.failure.kind !== 'incomplete') return end.failure;
    return {
      kind: 'not_local',
      message:
        'None of the session’s requests came through the bridge, so it did not run on the endpoint.',
      hint: 'A settings file of the project probably points Claude Code at another server: look for ANTHROPIC_BASE_URL in .claude/.',
    };
  }

  async #judgeBase(): Promise<GateResult['base']> {
    const options = this.#gateOptions();
    const tree = this.#parts.tree?.record;
    const isOwnTree = this.#job.record.isolation === 'worktree' && this.#job.spec.resume === null;
    if (options === null || !tree || !options.gate.baseline || !isOwnTree) return 'unknown';
    const verdict = await judgeBase(options, this.#job.spec.repoRoot ?? '', tree.base);
    const left =
      (await this.#parts.tree?.changes())?.filter((file) => file.change !== 'ignored') ?? [];
    if (left.length > 0) {
      this.#warn(
        `The gate itself changes files of the repository: ${left
          .slice(0, 5)
          .map((file) => file.path)
          .join(', ')}.`,
      );
    }
    return verdict;
  }

  async #judge(base: GateResult['base']): Promise<GateResult | null> {
    const options = this.#gateOptions();
    if (options === null) return null;
    this.#update((record) => ({ ...record, status: 'gating' }));
    this.#stop.activity();
    const files = await this.#changes();
    const result = await judgeTree(options, files, this.#job.spec.request.mayChange ?? [], base);
    await this.#noteJudged(result);
    this.#log.transcript(
      `[gate] ${result.name}: ${result.status}${result.exit === null ? '' : ` (exit ${result.exit})`}`,
    );
    const { name, status, exit, durationS } = result;
    this.#log.event('gate', { name, status, exit, duration_s: durationS });
    return result;
  }

  /** Keeps which tree was judged, and says what may explain a red gate in a fresh tree. */
  async #noteJudged(result: GateResult): Promise<void> {
    const tree = this.#parts.tree;
    if (tree?.record && tree.against) {
      const judged = await treeHash(tree.against);
      this.#context.store.setFact(gateTreeFactKey(this.#id), judged.tree, new Date());
      const { repoRoot } = this.#job.spec;
      const warning =
        result.status === 'failed' && repoRoot !== null
          ? missingFoldersWarning(repoRoot, tree.record.root)
          : null;
      if (warning !== null) this.#warn(warning);
    }
  }

  #gateOptions(): GateOptions | null {
    const name = this.#job.spec.request.gate;
    if (name === undefined || this.#parts.tree === null || this.#parts.endpoint === null)
      return null;
    const gate = this.#parts.endpoint.config.config.gates[name];
    if (gate === undefined) {
      throw new BridgeError('unknown_gate', `The gate ${name} is no longer in models.yaml.`, {
        hint: 'Put it back, or run another gate on the finished job.',
      });
    }
    return {
      context: this.#context,
      jobId: this.#id,
      guard: this.#guard,
      name,
      gate,
      cwd: this.#parts.tree.runCwd,
      signal: this.#stop.signal,
    };
  }

  async #changes(): Promise<ChangedFile[] | null> {
    return this.#parts.tree === null ? null : this.#parts.tree.changes();
  }

  /** From here on no log line and no text of the record holds a value of these. */
  #useSecrets(values: Readonly<Record<string, string>>): void {
    const dir = jobDir(this.#context.stateDir, this.#id);
    const redact = redactor(values);
    this.#log = new JobLogWriter(dir, redact, this.#onFull);
    this.#progress = this.#startProgress(redact);
  }

  #startProgress(redact: (text: string) => string): JobProgress {
    const { store } = this.#context;
    return new JobProgress({
      store,
      jobId: this.#id,
      log: this.#log,
      redact,
      onFull: this.#onFull,
    });
  }

  #warn(text: string): void {
    this.#update((record) => ({ ...record, warnings: [...record.warnings, text] }));
  }

  #update(change: (record: JobRecord) => JobRecord): void {
    this.#progress.update(change);
  }
}

function toFailure(error: unknown): Failure {
  const problem = BridgeError.from(error);
  return { kind: problem.kind, message: problem.message, hint: problem.hint };
}

function diskFull(): Stop {
  return {
    status: 'failed',
    failure: {
      kind: 'storage_full',
      message: 'The disk became full while the job ran.',
      hint: 'Free some space, or run "delegate gc". What it did until then is kept in its worktree.',
    },
  };
}

function repairTask(gate: GateResult): string {
  return [
    `The check "${gate.name}" failed with exit status ${gate.exit ?? 'none'}. The end of its output:`,
    '',
    gate.tail,
    '',
    'Mend the cause, then run the check again. Do not change the check itself.',
  ].join('\n');
}
