import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { AdHocFiles } from './adHocFiles.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { Installation } from './bridgeTypes.ts';
import { Admission } from './jobs/admission.ts';
import { failoverOf } from './jobs/failoverOf.ts';
import { HostStarter } from './jobs/hostStarter.ts';
import { limitsOf, limitsOfPlace } from './jobs/limitsOf.ts';
import type { StoredJob } from './jobs/jobRow.ts';
import { LIVE_STATUSES } from './jobs/status.ts';
import { settleLost } from './settleLost.ts';
import { startAdmitter } from './startAdmitter.ts';

const ADMISSION_MS = 1_000;

/**
 * What every process of the bridge does for the queue: notices dead hosts and settles their jobs, gives free places away, and
 * does not leave while jobs wait that nobody else looks after. A window that is not trusted, or a store of a newer version, is only
 * looked at.
 */
export class QueueKeeper {
  readonly #context: BridgeContext;
  readonly #installation: Installation;
  readonly #admission: Admission;
  readonly #settling = new Set<Promise<void>>();
  /** Of this round, by repository: each is read once in it. */
  readonly #configs = new Map<string | null, EffectiveConfig>();
  #memoryBytes: number | null = null;
  readonly #availableBytes = (): number => (this.#memoryBytes ??= process.availableMemory());
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** `env` is what the hosts of jobs inherit: keys that models.yaml refers to are looked up there. */
  constructor(context: BridgeContext, installation: Installation, env: NodeJS.ProcessEnv) {
    this.#context = context;
    this.#installation = installation;
    const starter = new HostStarter({
      stateDir: context.stateDir,
      execPath: installation.execPath,
      jobHostFile: join(installation.distDir, 'jobHost.cjs'),
      env,
      onHostExit: (jobId) => this.#onHostExit(jobId),
    });
    this.#admission = new Admission({
      store: context.store,
      stateDir: context.stateDir,
      startHost: (id) => starter.start(id),
      limitsOf: (job) => limitsOf(job, this.#configOf(job), this.#availableBytes),
      failoverOf: (job) => failoverOf(job, this.#configOf(job)),
      limitsOfMember: (member, job) =>
        limitsOfPlace(member, this.#configOf(job), this.#availableBytes),
      now: () => new Date(),
      onLost: (id) => this.#settle(id),
    });
  }

  /** One round: dead hosts, then free places. */
  run(): void {
    if (!this.#mayAct()) return;
    this.#configs.clear();
    this.#memoryBytes = null;
    this.#admission.run();
    new AdHocFiles(this.#context.stateDir).sweep(this.#context.store, Date.now());
  }

  recoverDead(): void {
    if (this.#mayAct()) this.#admission.recoverDead();
  }

  /** Looks after the queue until it is closed or `dispose` is called. */
  keep(): { dispose(): void } {
    this.run();
    const timer = setInterval(() => this.run(), ADMISSION_MS);
    return { dispose: () => clearInterval(timer) };
  }

  /** The same for a whole process; does not keep it alive. */
  keepInBackground(): void {
    if (this.#timer !== null || !this.#mayAct()) return;
    this.run();
    this.#timer = setInterval(() => this.run(), ADMISSION_MS);
    this.#timer.unref();
  }

  /** Whether somebody has to look after the queue: jobs wait, and none runs whose end would admit them. */
  get isOrphaned(): boolean {
    const { store } = this.#context;
    return store.hasQueued() && store.inOrder(LIVE_STATUSES).length === 0;
  }

  /** The queue never stops for want of a client: who leaves while jobs wait starts the detached admitter. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    // A host that has just been killed must not pass for one that looks after the queue.
    this.recoverDead();
    if (this.#mayAct() && this.isOrphaned) startAdmitter(this.#context, this.#installation);
    this.#isClosed = true;
    await Promise.all(this.#settling);
  }

  #configOf({ spec }: StoredJob): EffectiveConfig {
    const known = this.#configs.get(spec.repoRoot);
    const config = known ?? this.#context.loadConfig(spec.repoRoot).config;
    this.#configs.set(spec.repoRoot, config);
    return config;
  }

  #mayAct(): boolean {
    return !this.#isClosed && !this.#context.isRestricted && !this.#context.store.isReadOnly;
  }

  #settle(jobId: string): void {
    const settled = settleLost(this.#context, jobId)
      .catch((error: unknown) => {
        process.stderr.write(`${jobId} could not be settled: ${BridgeError.from(error).message}\n`);
      })
      .finally(() => this.#settling.delete(settled));
    this.#settling.add(settled);
  }

  /** A host that ended before it held its lock: admission need not wait for its deadline. */
  #onHostExit(jobId: string): void {
    if (this.#isClosed) return;
    const { store } = this.#context;
    const job = store.find(jobId);
    if (job?.record.status === 'starting' && !job.isHosted) {
      store.update(jobId, () => null, { startingUntilMs: 0 });
    }
    this.run();
  }
}
