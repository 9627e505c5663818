import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { realPathOfDeepest } from '../config/paths.ts';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import { BridgeContext } from './bridgeContext.ts';
import type {
  AcceptOptions,
  AcceptOutcome,
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
import { decideRoute } from './decideRoute.ts';
import { diagnose } from './diagnose.ts';
import { diffJob } from './diffJob.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { feedJobs, type JobFeedOptions } from './feedJobs.ts';
import { gateFinishedJob } from './gateFinishedJob.ts';
import { readJobLog, type LogName } from './jobLog.ts';
import type { FeedAnswer } from './jobs/feedRows.ts';
import { jobDir } from './jobs/jobPaths.ts';
import { StoreWatcher } from './jobs/storeWatcher.ts';
import { isFinal } from './jobs/status.ts';
import { listModels } from './listModels.ts';
import { QueueKeeper } from './queueKeeper.ts';
import { type LogPage, readLog } from './readLog.ts';
import { recoverAccepts } from './recoverAccepts.ts';
import { type NewEndpoint, registerEndpoint } from './registerEndpoint.ts';
import { abandonJob } from './review/abandonJob.ts';
import { acceptJob } from './review/acceptJob.ts';
import { dropFiles } from './review/dropFiles.ts';
import { rejectFinishedJob } from './review/rejectFinishedJob.ts';
import { restoreRejectedJob } from './review/restoreRejectedJob.ts';
import { undoAcceptedJob } from './review/undoAcceptedJob.ts';
import { submitJob } from './submitJob.ts';
import { keepSubmittedConfig } from './submittedConfig.ts';
import { trustFolder, type TrustGiven, untrustFolder } from './trustFolder.ts';
import { waitForJobs } from './waitForJobs.ts';
import { tryFindRepository } from './worktrees/repository.ts';

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
  readonly #context: BridgeContext;
  readonly #options: BridgeOptions;
  readonly #queue: QueueKeeper;
  #watcher: StoreWatcher | null = null;
  #isDisposed = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#context = new BridgeContext(options);
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

  async explainRoute(request: JobRequest, defaultCwd: string): Promise<RouteExplanation> {
    this.#assertUnrestricted();
    const config = this.#context.loadConfig(await this.#repoRootOf(request.cwd ?? defaultCwd));
    const { decision, policy, pool, warnings } = await decideRoute(this.#context, config, request, {
      needsTools: true,
    });
    return {
      ok: decision.ok,
      rule: decision.ok ? decision.rule : null,
      endpoint: decision.ok ? decision.endpoint : null,
      model: decision.ok ? decision.model : null,
      pool,
      policy,
      considered: decision.considered,
      failure: decision.ok
        ? null
        : { kind: decision.error.kind, message: decision.error.message, hint: decision.error.hint },
      warnings,
    };
  }

  /** Queues one job. A refusal is a job with status `refused`; only a call that makes no sense throws. */
  async submit(request: JobRequest, caller: Caller, defaultCwd: string): Promise<JobRecord> {
    this.#assertUnrestricted();
    const resume =
      request.resumeJob === undefined ? {} : { resumeJob: this.job(request.resumeJob).id };
    const record = await submitJob(this.#context, { ...request, ...resume }, caller, defaultCwd);
    if (!isFinal(record.status)) {
      const repoRoot = this.#context.store.find(record.id)?.spec.repoRoot ?? null;
      const { config } = this.#context.loadConfig(repoRoot);
      keepSubmittedConfig(this.stateDir, record.id, config);
      this.#queue.run();
    }
    return this.job(record.id);
  }

  /**
   * Full id, or a head or tail of one that only one job has.
   * @throws BridgeError unknown_job (the newest ids in `details.known`), ambiguous_job (those that fit)
   */
  job(id: string): JobRecord {
    const { store } = this.#context;
    const exact = store.find(id);
    if (exact) return exact.record;
    const found = id.length < 4 ? [] : store.findIds(id);
    const [only] = found;
    if (only !== undefined && found.length === 1) return this.job(only);
    if (found.length > 1) {
      throw new BridgeError('ambiguous_job', `Several jobs fit ${id}.`, {
        hint: `Write more of the id: ${found.slice(0, 3).join(', ')}.`,
        details: { known: found },
      });
    }
    throw new BridgeError('unknown_job', `There is no job ${id}.`, {
      hint: 'See "delegate jobs".',
      details: { known: store.list({ limit: 10 }).map((job) => job.record.id) },
    });
  }

  /** Newest first. */
  list(filter: JobFilterOptions = {}): JobRecord[] {
    this.#queue.recoverDead();
    const jobs = this.#context.store.list({
      ...(filter.statuses ? { statuses: filter.statuses } : {}),
      ...(filter.limit === undefined || filter.cwd !== undefined ? {} : { limit: filter.limit }),
    });
    if (filter.cwd === undefined) return jobs.map((job) => job.record);
    const cwd = realPathOfDeepest(filter.cwd);
    return jobs
      .filter(
        ({ spec }) =>
          spec.repoRoot !== null && (cwd === spec.repoRoot || cwd.startsWith(spec.repoRoot + sep)),
      )
      .slice(0, filter.limit)
      .map((job) => job.record);
  }

  /** Jobs as a view keeps them, page by page and change by change. */
  feed(options: JobFeedOptions = {}): FeedAnswer {
    return feedJobs(this.#context, options);
  }

  /** What the configuration is like right now, without asking any endpoint. */
  async configState(cwd: string): Promise<ConfigState> {
    const loaded = this.#context.loadConfig(existsSync(cwd) ? await this.#repoRootOf(cwd) : null);
    return {
      configFile: this.#context.userConfigFile,
      configStale: loaded.stale,
      problems: loaded.problems,
      endpoints: Object.keys(loaded.config.endpoints),
      gates: Object.keys(loaded.config.gates),
    };
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
    this.#assertUnrestricted();
    return cancelJob(this.#context, this.#queue, this.#openWatcher(), this.job(id), caller);
  }

  async accept(id: string, caller: Caller, options: AcceptOptions = {}): Promise<AcceptOutcome> {
    this.#assertUnrestricted();
    await recoverAccepts(this.#context);
    return acceptJob(this.#context, this.job(id), caller, options);
  }

  async undoAccept(id: string, caller: Caller): Promise<AcceptOutcome> {
    this.#assertUnrestricted();
    await recoverAccepts(this.#context);
    return undoAcceptedJob(this.#context, this.job(id), caller);
  }

  async reject(id: string, caller: Caller): Promise<JobRecord> {
    this.#assertUnrestricted();
    return rejectFinishedJob(this.#context, this.job(id), caller);
  }

  /** Rejects single files, or takes that back. */
  async dropFiles(
    id: string,
    caller: Caller,
    options: { files: readonly string[]; isTakenBack?: boolean },
  ): Promise<JobRecord> {
    this.#assertUnrestricted();
    const { files, isTakenBack = false } = options;
    return dropFiles(this.#context, this.job(id), caller, { files, isTakenBack });
  }

  async restore(id: string, caller: Caller): Promise<JobRecord> {
    this.#assertUnrestricted();
    return restoreRejectedJob(this.#context, this.job(id), caller);
  }

  async abandon(id: string, caller: Caller): Promise<JobRecord> {
    this.#assertUnrestricted();
    return abandonJob(this.#context, this.job(id), caller);
  }

  /** Runs a gate again on what is in the tree of a finished job now; null: the gate it had. */
  async runGate(id: string, gate: string | null): Promise<JobRecord> {
    this.#assertUnrestricted();
    return gateFinishedJob(this.#context, this.job(id), gate);
  }

  async registerEndpoint(
    name: string,
    entry: NewEndpoint,
    cwd: string,
  ): Promise<{ file: string; probe: EndpointProbe }> {
    this.#assertUnrestricted();
    return registerEndpoint(this.#context, name, entry, await this.#repoRootOf(cwd));
  }

  async complete(options: CompleteOptions, cwd: string): Promise<CompleteResult> {
    this.#assertUnrestricted();
    return completePlain(this.#context, options, await this.#repoRootOf(cwd));
  }

  async trust(path: string): Promise<TrustGiven> {
    this.#assertUnrestricted();
    return trustFolder(this.#context, path);
  }

  async untrust(path: string): Promise<boolean> {
    this.#assertUnrestricted();
    return untrustFolder(this.#context, path);
  }

  listTrusted(): { path: string; at: string }[] {
    return this.#context.trust.list().map(({ file, trustedAt }) => ({ path: file, at: trustedAt }));
  }

  setSecret(name: string, value: string): void {
    this.#assertUnrestricted();
    this.#context.secrets.set(name, value);
  }

  deleteSecret(name: string): boolean {
    this.#assertUnrestricted();
    return this.#context.secrets.delete(name);
  }

  listSecrets(): string[] {
    return this.#context.secrets.names();
  }

  /** Which files one editor window holds unsaved; a later accept does not write over them. */
  setDirtyPaths(window: string, paths: readonly string[]): void {
    this.#context.store.setDirtyPaths(window, paths, Date.now());
  }

  async gc(options: { dryRun: boolean }): Promise<GcReport> {
    this.#assertUnrestricted();
    return collectGarbage(this.#context, options);
  }

  async doctor(cwd: string): Promise<DoctorReport> {
    return diagnose(
      this.#context,
      this.version,
      existsSync(cwd) ? await this.#repoRootOf(cwd) : null,
    );
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

  async #repoRootOf(cwd: string): Promise<string | null> {
    const repository = await tryFindRepository(await this.#context.git(), cwd);
    return repository?.repoRoot ?? null;
  }

  #assertUnrestricted(): void {
    if (!this.#options.isRestricted) return;
    throw new BridgeError(
      'restricted',
      'This window is not trusted, so nothing is run, probed or changed.',
      {
        hint: 'Trust the workspace in VS Code, then try again.',
      },
    );
  }
}
