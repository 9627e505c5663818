import { BridgeError } from '../base/bridgeError.ts';
import { sanitiseText } from '../base/sanitise.ts';
import { JOB_STATUSES } from '../protocol/job.ts';
import { toWire } from '../protocol/keys.ts';
import { ledgerRow } from '../protocol/mcpLedgerRow.ts';
import { jobSummary } from '../protocol/mcpJobSummary.ts';
import type { BridgeApi } from './bridgeApi.ts';
import {
  protocolError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from './mcpSdk.ts';
import {
  ENDPOINTS_URI,
  JOBS_URI,
  LEDGER_URI,
  parseResourceUri,
  POOLS_URI,
  type ResourceRef,
} from './resourceUris.ts';
import { isOver } from './toolAnswers.ts';

const MAX_LISTED_JOBS = 50;
const MAX_JOBS = 500;
const MAX_TRANSCRIPT_LINES = 20_000;
const MAX_PATCH_BYTES = 4 * 1024 * 1024;

const FIXED: readonly Resource[] = [
  { uri: JOBS_URI, name: 'jobs', title: 'Jobs', mimeType: 'application/json' },
  { uri: ENDPOINTS_URI, name: 'endpoints', title: 'Endpoints', mimeType: 'application/json' },
  { uri: POOLS_URI, name: 'pools', title: 'Pools', mimeType: 'application/json' },
  { uri: LEDGER_URI, name: 'ledger', title: 'Ledger: all receipts', mimeType: 'application/json' },
];

const TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: `${JOBS_URI}/{job_id}`,
    name: 'job',
    title: 'Job: record and receipt',
    mimeType: 'application/json',
  },
  {
    uriTemplate: `${JOBS_URI}/{job_id}/transcript`,
    name: 'transcript',
    title: 'What a job did',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: `${JOBS_URI}/{job_id}/diff`,
    name: 'diff',
    title: 'What a job changed',
    mimeType: 'text/x-diff',
  },
];

/** The store as resources, read anew at each request. */
export class Resources {
  readonly #bridge: () => Promise<BridgeApi>;
  readonly #defaultCwd: () => Promise<string>;
  readonly #now: () => Date;

  constructor(
    bridge: () => Promise<BridgeApi>,
    defaultCwd: () => Promise<string>,
    now: () => Date,
  ) {
    this.#bridge = bridge;
    this.#defaultCwd = defaultCwd;
    this.#now = now;
  }

  async list(): Promise<Resource[]> {
    const bridge = await this.#bridge();
    const jobs = bridge.list({ limit: MAX_LISTED_JOBS }).map((job) => {
      const { task, status_line } = jobSummary(job, this.#now());
      return {
        uri: `${JOBS_URI}/${job.id}`,
        name: job.id,
        title: task,
        description: status_line,
        mimeType: 'application/json',
      };
    });
    return [...FIXED, ...jobs];
  }

  templates(): ResourceTemplate[] {
    return [...TEMPLATES];
  }

  /** Rejects with a protocol error when there is no such resource. */
  async read(uri: string): Promise<ReadResourceResult> {
    const ref = parseResourceUri(uri);
    if (ref === null) throw protocolError(`There is no resource ${uri}.`, 'not_found');
    try {
      const content = await this.#contentOf(ref, await this.#bridge());
      return { contents: [{ uri, ...content }] };
    } catch (error) {
      if (!BridgeError.is(error, 'unknown_job')) throw error;
      throw protocolError(error.message, 'not_found');
    }
  }

  async #contentOf(
    ref: ResourceRef,
    bridge: BridgeApi,
  ): Promise<{ mimeType: string; text: string }> {
    switch (ref.kind) {
      case 'jobs':
        // Without results and with a short brief: a list that is read at every change has to stay small.
        return json(
          bridge.list({ limit: MAX_JOBS }).map((job) => ({
            ...(toWire({ ...job, result: null, task: job.task.slice(0, 300) }) as object),
            queue_position: job.status === 'queued' ? bridge.queuePosition(job.id) : null,
          })),
        );
      case 'ledger':
        return json(
          bridge
            .list({ statuses: JOB_STATUSES.filter((status) => isOver({ status })) })
            .map((job) => ledgerRow(job)),
        );
      case 'endpoints':
      case 'pools': {
        const overview = await bridge.listModels({ cwd: await this.#defaultCwd() });
        return json(toWire(overview[ref.kind]));
      }
      case 'job':
        return json(toWire(bridge.job(ref.jobId)));
      case 'transcript': {
        const log = bridge.log(ref.jobId, { tailLines: MAX_TRANSCRIPT_LINES, what: 'transcript' });
        return { mimeType: 'text/plain', text: sanitiseText(log.text) };
      }
      case 'diff': {
        const diff = await bridge.diff(ref.jobId, { maxBytes: MAX_PATCH_BYTES });
        return { mimeType: 'text/x-diff', text: diff.patch };
      }
    }
  }
}

function json(value: unknown): { mimeType: string; text: string } {
  return { mimeType: 'application/json', text: JSON.stringify(value) };
}
