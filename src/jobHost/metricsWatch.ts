import type { ServerMetrics } from '../protocol/job.ts';
import { metricsDelta, type ServerCounters } from '../bridge/endpoints/metrics.ts';
import { readMetrics } from '../bridge/endpoints/readMetrics.ts';
import type { JobStore } from '../bridge/jobs/jobStore.ts';
import { LIVE_STATUSES } from '../bridge/jobs/status.ts';
import type { JobEndpoint } from './jobSetup.ts';

const READ_LIMIT_MS = 2_500;

/** The endpoint's counters before and after a job. They are the server's, so other jobs on it share the difference. */
export class MetricsWatch {
  readonly #store: JobStore;
  readonly #jobId: string;
  readonly #endpoint: JobEndpoint;
  readonly #before: ServerCounters | null;
  #isShared = false;

  private constructor(
    store: JobStore,
    jobId: string,
    endpoint: JobEndpoint,
    before: ServerCounters | null,
  ) {
    this.#store = store;
    this.#jobId = jobId;
    this.#endpoint = endpoint;
    this.#before = before;
    this.#isShared = this.#hasNeighbours();
  }

  static async start(store: JobStore, jobId: string, endpoint: JobEndpoint): Promise<MetricsWatch> {
    const before = endpoint.probe.hasMetrics ? await readCounters(endpoint) : null;
    return new MetricsWatch(store, jobId, endpoint, before);
  }

  /** Null when the server keeps no counters, or they could not be read. */
  async delta(): Promise<ServerMetrics | null> {
    if (this.#before === null) return null;
    const after = await readCounters(this.#endpoint);
    return metricsDelta(this.#before, after, this.#isShared || this.#hasNeighbours());
  }

  #hasNeighbours(): boolean {
    return this.#store
      .inOrder(LIVE_STATUSES)
      .some(
        (job) =>
          job.record.id !== this.#jobId &&
          job.record.endpoint === this.#endpoint.resolved.target.name,
      );
  }
}

async function readCounters(endpoint: JobEndpoint): Promise<ServerCounters | null> {
  return readMetrics(endpoint.resolved.target, { timeoutMs: READ_LIMIT_MS });
}
