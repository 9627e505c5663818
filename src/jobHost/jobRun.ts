import { BridgeError } from '../base/bridgeError.ts';
import { redactor } from '../config/secrets.ts';
import type { Failure, GateResult, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import { createJobDir, jobDir } from '../bridge/jobs/jobPaths.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import { StorageReserve } from '../bridge/jobs/storageReserve.ts';
import type { HostGuard } from '../bridge/processes/hostGuard.ts';
import type { RunnerEnd } from '../bridge/runners/runner.ts';
import { endJob, type JobParts, type Outcome } from './endJob.ts';
import { JobGate } from './jobGate.ts';
import { JobProgress } from './jobProgress.ts';
import type { JobEndpoint } from './jobSetup.ts';
import { prepareTree, type JobTree } from './jobTree.ts';
import { MetricsWatch } from './metricsWatch.ts';
import { RepositoryWatch } from '../bridge/repositoryWatch.ts';
import type { JobSession } from './jobSession.ts';
import { openEndpoint } from './openEndpoint.ts';
import { openSession } from './openSession.ts';
import { runSetup } from './setupRun.ts';
import type { Stop, StopSignal } from './stopSignal.ts';
import { checkToolCalls } from './toolCheck.ts';
import { watchTree } from './treeWatch.ts';

/** The life of one job from the moment its host holds the lock to its receipt. */
export class JobRun {
  readonly #context: BridgeContext;
  /** As it is now: it may move to another endpoint before it runs. */
  #job: StoredJob;
  readonly #guard: HostGuard;
  readonly #stop: StopSignal;
  readonly #log: JobLogWriter;
  readonly #progress: JobProgress;
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
  #secrets: Readonly<Record<string, string>> = {};
  #redactNow: (text: string) => string = (text) => text;
  readonly #redact = (text: string): string => this.#redactNow(text);

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
    this.#log = new JobLogWriter(dir, this.#redact, this.#onFull);
    this.#progress = new JobProgress({
      store: this.#context.store,
      jobId: this.#id,
      log: this.#log,
      redact: this.#redact,
      onFull: this.#onFull,
    });
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
    const opened = await openEndpoint(this.#context, this.#job, this.#log, signal);
    this.#job = opened.job;
    const { endpoint } = opened;
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
    const session = this.#openSession();
    await session.prepare();
    const toolWarning = await checkToolCalls(
      this.#context,
      endpoint,
      this.#job.spec.servedModel,
      signal,
    );
    if (toolWarning !== null) this.#warn(toolWarning);
    const gate = this.#openGate();
    const base = await gate.judgeBase();
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
    return this.#rounds(session, gate, base);
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
  async #rounds(session: JobSession, gates: JobGate, base: GateResult['base']): Promise<Outcome> {
    const allowed = this.#job.spec.request.repairRounds ?? 0;
    let task = this.#job.record.task;
    let sessionId = this.#job.spec.resume?.sessionId ?? null;
    for (let round = 0; ; round += 1) {
      const end = await session.run(task, sessionId);
      const failure = this.#stop.stop?.failure ?? this.#failureOf(end, session);
      if (failure !== null) return { failure, gate: null };
      const gate = await gates.judge(base);
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

  #openSession(): JobSession {
    const { tree, endpoint } = this.#ready();
    this.#parts.session = openSession({
      context: this.#context,
      job: this.#job,
      guard: this.#guard,
      log: this.#log,
      progress: this.#progress,
      stop: this.#stop,
      endpoint,
      runCwd: tree.runCwd,
      treeRoot: tree.record?.root ?? null,
      redact: this.#redact,
      onFull: this.#onFull,
      onMoved: ({ resolved }) => {
        this.#useSecrets(resolved.secretValues);
        // What the counters of the first endpoint say from here on is not of this job.
        this.#parts.metrics = null;
      },
    });
    return this.#parts.session;
  }

  #openGate(): JobGate {
    const { tree, endpoint } = this.#ready();
    return new JobGate({
      context: this.#context,
      job: this.#job,
      guard: this.#guard,
      log: this.#log,
      progress: this.#progress,
      stop: this.#stop,
      config: endpoint.config.config,
      tree,
    });
  }

  #ready(): { tree: JobTree; endpoint: JobEndpoint } {
    const { tree, endpoint } = this.#parts;
    if (tree === null || endpoint === null)
      throw new BridgeError('internal', 'The job is not set up.');
    return { tree, endpoint };
  }

  /** A session that the bridge carried no request of ran elsewhere, whatever it says. */
  #failureOf(end: RunnerEnd, session: JobSession): Failure | null {
    const isOurs = this.#job.record.runner === 'loop';
    if (session.requests > 0 || isOurs) return end.failure;
    if (end.failure !== null && end.failure.kind !== 'incomplete') return end.failure;
    return {
      kind: 'not_local',
      message:
        'None of the session’s requests came through the bridge, so it did not run on the endpoint.',
      hint: 'A settings file of the project probably points Claude Code at another server: look for ANTHROPIC_BASE_URL in .claude/.',
    };
  }

  /** From here on no log line and no text of the record holds a value of these. */
  #useSecrets(values: Readonly<Record<string, string>>): void {
    this.#secrets = { ...this.#secrets, ...values };
    this.#redactNow = redactor(this.#secrets);
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
