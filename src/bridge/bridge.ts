import { BridgeError } from '../base/bridgeError.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { AgentsView } from '../protocol/agentsView.ts';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import { agentNames } from './agents/agentNames.ts';
import { checkAgents, type CheckAgentsOptions } from './agents/checkAgents.ts';
import { listAgents } from './agents/listAgents.ts';
import { BridgeContext } from './bridgeContext.ts';
import type {
  Caller,
  CompleteOptions,
  CompleteResult,
  ConfigState,
  DoctorReport,
  GcReport,
  Installation,
  JobDiff,
  JobFilterOptions,
  JobLog,
  ModelsOverview,
  RouteExplanation,
  WaitOptions,
  WaitResult,
} from './bridgeTypes.ts';
import { cancelJob } from './cancelJob.ts';
import { collectGarbage } from './collectGarbage.ts';
import { completePlain } from './completePlain.ts';
import { ConfigWatcher } from './configWatcher.ts';
import { configFacts, type ConfigFacts } from './configFacts.ts';
import { delegateFacts, type DelegateFacts } from './delegateFacts.ts';
import { diagnose } from './diagnose.ts';
import { diffJob } from './diffJob.ts';
import { EndpointSetup } from './endpointSetup.ts';
import { explainRoute } from './explainRoute.ts';
import { feedJobs, type JobFeedOptions } from './feedJobs.ts';
import { formatDoctor } from './formatDoctor.ts';
import { readJobLog, type LogName } from './jobLog.ts';
import type { FeedAnswer } from './jobs/feedRows.ts';
import { jobDir } from './jobs/jobPaths.ts';
import { StoreWatcher } from './jobs/storeWatcher.ts';
import { isFinal } from './jobs/status.ts';
import { findJob } from './jobs/findJob.ts';
import { Imports } from './imports.ts';
import { listJobs } from './listJobs.ts';
import { listModels } from './listModels.ts';
import { makePracticeRepository } from './practiceRepository.ts';
import { QueueKeeper } from './queueKeeper.ts';
import { type LogPage, readLog } from './readLog.ts';
import { recoverAccepts } from './recoverAccepts.ts';
import { redactReport } from './redactReport.ts';
import { slotUse, type SlotUse } from './slotUse.ts';
import { setUpClaude } from './setup/setUpClaude.ts';
import type { SetupReport, SetupRequest } from './setup/setupTypes.ts';
import { type RetryOptions, retryRequest } from './retryJob.ts';
import { JobReviews } from './review/jobReviews.ts';
import { KeptSecrets } from './secrets/keptSecrets.ts';
import { type SubmittedAll, submitAll } from './submitAll.ts';
import { submitJob } from './submitJob.ts';
import { TrustedFolders } from './trustedFolders.ts';
import { type TriedGate, tryGate, type TryGateOptions } from './tryGate.ts';
import { waitForJobs } from './waitForJobs.ts';

export interface BridgeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  /** What `--config` named; null: the usual look-up. */
  readonly configFile: string | null;
  readonly installation: Installation;
  /** An untrusted window: read-only, no workspace file, no probing. */
  readonly isRestricted: boolean;
}

const DEFAULT_PATCH_BYTES = 256 * 1024;

/**
 * The engine as its clients see it: the MCP server, the command line, and through the server VS Code. It holds no state of
 * jobs; everything is read from the store and written to it.
 */
export class Bridge {
  readonly version = process.env.DELEGATE_VERSION ?? 'development';
  /** What is done with results. */
  readonly reviews: Pick<JobReviews, keyof JobReviews>;
  readonly secrets: Pick<KeptSecrets, keyof KeptSecrets>;
  readonly trusted: Pick<TrustedFolders, keyof TrustedFolders>;
  /** What is found and registered. */
  readonly endpoints: Pick<EndpointSetup, keyof EndpointSetup>;
  readonly imports: Pick<Imports, keyof Imports>;
  readonly #context: BridgeContext;
  readonly #options: BridgeOptions;
  readonly #queue: QueueKeeper;
  #watcher: StoreWatcher | null = null;
  #isDisposed = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#context = new BridgeContext(options);
    this.reviews = new JobReviews(this.#context);
    this.secrets = new KeptSecrets(this.#context);
    this.trusted = new TrustedFolders(this.#context);
    this.endpoints = new EndpointSetup(this.#context);
    this.imports = new Imports(this.#context);
    this.#queue = new QueueKeeper(this.#context, options.installation, options.env);
  }

  get stateDir(): string {
    return this.#context.stateDir;
  }

  get configDir(): string {
    return this.#context.configDir;
  }

  async listModels(options: { cwd: string; signal?: AbortSignal }): Promise<ModelsOverview> {
    return listModels(this.#context, options);
  }

  /** Agent and skill definitions by tier, and what each would really get. */
  async listAgents(options: { cwd: string; signal?: AbortSignal }): Promise<AgentsView> {
    return listAgents(this.#context, options);
  }

  /** Definitions as an editor has them; no endpoint is asked. */
  async checkAgents(options: CheckAgentsOptions): Promise<ReturnType<typeof checkAgents>> {
    this.#context.assertUnrestricted();
    const { cwd } = options;
    return checkAgents(this.#context, await this.#context.repoRootIfThere(cwd), options);
  }

  async agentNames(cwd: string): Promise<string[]> {
    return agentNames(this.#context, cwd, await this.#context.repoRootIfThere(cwd));
  }

  async delegateFacts(options: {
    cwd: string;
    paths: readonly string[];
    signal?: AbortSignal;
  }): Promise<DelegateFacts> {
    this.#context.assertUnrestricted();
    return delegateFacts(this.#context, options);
  }

  async explainRoute(request: JobRequest, defaultCwd: string): Promise<RouteExplanation> {
    this.#context.assertUnrestricted();
    const repoRoot = await this.#context.repoRootOf(request.cwd ?? defaultCwd);
    return explainRoute(this.#context, request, repoRoot);
  }

  /** Queues one job. A refusal is a job with status `refused`; only a call that makes no sense throws. */
  async submit(request: JobRequest, caller: Caller, defaultCwd: string): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    const resume =
      request.resumeJob === undefined ? {} : { resumeJob: this.job(request.resumeJob).id };
    const record = await submitJob(this.#context, { ...request, ...resume }, caller, defaultCwd);
    if (!isFinal(record.status)) this.#queue.run();
    return this.job(record.id);
  }

  /** Queues several jobs, or none of them when one cannot run. */
  async submitAll(
    requests: readonly (JobRequest | BridgeError)[],
    caller: Caller,
    defaultCwd: string,
  ): Promise<SubmittedAll> {
    this.#context.assertUnrestricted();
    const submitted = await submitAll(this.#context, requests, caller, defaultCwd);
    this.#queue.run();
    return submitted;
  }

  /** The configuration in force for a folder. No endpoint is asked. */
  async effectiveConfig(cwd: string): Promise<EffectiveConfig> {
    return this.#context.loadConfig(await this.#context.repoRootIfThere(cwd)).config;
  }

  /** Queues the task of a job again, as it was asked for but for what is named. */
  async retry(id: string, options: RetryOptions, caller: Caller): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    const stored = findJob(this.#context.store, id);
    return this.submit(retryRequest(stored, options), caller, stored.record.cwd);
  }

  /**
   * Full id, or a head or tail of one that only one job has.
   * @throws BridgeError unknown_job (the newest ids in `details.known`), ambiguous_job (those that fit)
   */
  job(id: string): JobRecord {
    return findJob(this.#context.store, id).record;
  }

  /** Newest first. */
  list(filter: JobFilterOptions = {}): JobRecord[] {
    this.#queue.recoverDead();
    return listJobs(this.#context.store, filter);
  }

  slotUse(options: { cwd: string }): SlotUse {
    return slotUse(this.#context, options);
  }

  /** Jobs as a view keeps them, page by page and change by change. */
  feed(options: JobFeedOptions = {}): FeedAnswer {
    return feedJobs(this.#context, options);
  }

  /** What the configuration is like right now, without asking any endpoint. */
  async configState(cwd: string): Promise<ConfigState> {
    const loaded = this.#context.loadConfig(await this.#context.repoRootIfThere(cwd));
    return {
      configFile: this.#context.userConfigFile,
      configStale: loaded.stale,
      problems: loaded.problems,
      endpoints: Object.keys(loaded.config.endpoints),
      gates: Object.keys(loaded.config.gates),
    };
  }

  /** Which endpoints the configuration names, and where. No endpoint is asked. */
  async configFacts(cwd: string): Promise<ConfigFacts> {
    return configFacts(this.#context, await this.#context.repoRootIfThere(cwd));
  }

  /** Place in the queue of its pool, 1 is next; null when the job does not wait. */
  queuePosition(id: string): number | null {
    const queue = this.#context.store.inOrder(['queued']);
    const own = queue.find((job) => job.record.id === id);
    if (own === undefined) return null;
    return queue.filter((job) => job.spec.pool === own.spec.pool && job.seq <= own.seq).length;
  }

  async wait(ids: readonly string[], options: WaitOptions): Promise<WaitResult> {
    const full = ids.map((id) => this.job(id).id);
    // Whoever waits also looks after the jobs: a dead host is noticed, a free place is given away.
    const care = this.#queue.keep();
    try {
      return await waitForJobs(this.#context.store, this.#openWatcher(), full, options);
    } finally {
      care.dispose();
    }
  }

  log(id: string, options: { tailLines: number; what: LogName }): JobLog {
    const record = this.job(id);
    return readJobLog(jobDir(this.stateDir, record.id), record, options.what, options.tailLines);
  }

  /** A page of a log, for whoever follows it. */
  readLog(
    id: string,
    options: { what: LogName; offset: number; maxBytes: number; isFromLineStart?: boolean },
  ): LogPage {
    const { id: jobId, status } = this.job(id);
    const { what, ...place } = options;
    return readLog(jobDir(this.stateDir, jobId), what, { ...place, isOver: isFinal(status) });
  }

  async diff(
    id: string,
    options: { files?: readonly string[]; maxBytes?: number } = {},
  ): Promise<JobDiff> {
    return diffJob(this.#context, this.job(id), {
      files: options.files ?? null,
      maxBytes: options.maxBytes ?? DEFAULT_PATCH_BYTES,
    });
  }

  /** Ends the whole process tree of a job; resolves with the final record. */
  async cancel(id: string, caller: Caller): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    return cancelJob(this.#context, this.#queue, this.#openWatcher(), this.job(id), caller);
  }

  /** Runs a gate of the saved configuration on what is committed. */
  async tryGate(name: string, options: TryGateOptions): Promise<TriedGate> {
    this.#context.assertUnrestricted();
    return tryGate(this.#context, name, options);
  }

  /** A repository with a red test, to try the bridge on. */
  async makePracticeRepository(folder: string): Promise<{ folder: string }> {
    this.#context.assertUnrestricted();
    return makePracticeRepository(this.#context, folder);
  }

  async complete(options: CompleteOptions, cwd: string): Promise<CompleteResult> {
    this.#context.assertUnrestricted();
    return completePlain(this.#context, options, await this.#context.repoRootOf(cwd));
  }

  /** Which files one editor window holds unsaved; a later accept does not write over them. */
  setDirtyPaths(window: string, paths: readonly string[]): void {
    this.#context.store.setDirtyPaths(window, paths, Date.now());
  }

  /** Plans or does the set-up of Claude Code. */
  async setUp(request: SetupRequest): Promise<SetupReport> {
    this.#context.assertUnrestricted();
    const { env, homeDir, installation } = this.#options;
    const { stateDir } = this.#context;
    return setUpClaude(request, {
      env,
      homeDir,
      stateDir,
      platform: process.platform,
      installation,
    });
  }

  async gc(options: { dryRun: boolean }): Promise<GcReport> {
    this.#context.assertUnrestricted();
    return collectGarbage(this.#context, options);
  }

  async doctor(cwd: string): Promise<DoctorReport> {
    const repoRoot = await this.#context.repoRootIfThere(cwd);
    return diagnose(this.#context, this.version, { folder: cwd, repoRoot });
  }

  /** The same as a text that may be given away. */
  async doctorReport(cwd: string): Promise<string> {
    return redactReport(formatDoctor(await this.doctor(cwd)), this.#context);
  }

  /** Calls with the jobs that any process has changed since the last call. */
  onDidChangeJobs(listener: (changed: readonly JobRecord[]) => void): { dispose(): void } {
    const { store } = this.#context;
    let seen = store.revision();
    return this.#openWatcher().onDidChange(() => {
      const changed = store.list({ sinceRevision: seen });
      seen = store.revision();
      listener(changed.map((job) => job.record));
    });
  }

  /** Calls when a file has changed that says which endpoints there are for a folder. */
  onDidChangeConfig(cwd: string, listener: () => void): { dispose(): void } {
    const watcher = new ConfigWatcher(this.#context, cwd, listener);
    return { dispose: () => watcher.dispose() };
  }

  /** For processes that live long: dead hosts are noticed and free places given away while nobody asks. */
  startAdmissionTimer(): void {
    if (this.#options.isRestricted) return;
    this.#queue.keepInBackground();
    recoverAccepts(this.#context).catch((error: unknown) => {
      process.stderr.write(
        `An accept that was cut short could not be settled: ${BridgeError.from(error).message}\n`,
      );
    });
  }

  /** Whether somebody has to look after the queue: jobs wait, and none runs whose end would admit them. */
  get isQueueOrphaned(): boolean {
    return this.#queue.isOrphaned;
  }

  /** One round of admission, for the detached admitter. */
  admit(): void {
    this.#queue.run();
  }

  /** The queue never stops for want of a client: who leaves while jobs wait starts the detached admitter. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#watcher?.dispose();
    await this.#queue.close();
    this.#context.dispose();
  }

  #openWatcher(): StoreWatcher {
    this.#watcher ??= new StoreWatcher(this.#context.store);
    return this.#watcher;
  }
}
