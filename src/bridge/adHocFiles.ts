import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite } from '../config/atomicWrite.ts';
import type { AdHocEndpoint } from './adHocEndpoint.ts';
import { isFinal } from './jobs/status.ts';
import type { JobStore } from './jobs/jobStore.ts';

/** A file that no job belongs to is one whose job is being written just now, or was never written. */
const UNOWNED_MS = 10 * 60_000;

/**
 * The endpoints that calls named by address, one file of mode 0600 for each job that is not over. Its key may stand in the file
 * itself: nowhere else, and only until the job has ended.
 */
export class AdHocFiles {
  readonly #dir: string;

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'providers');
  }

  keep(jobId: string, endpoint: AdHocEndpoint): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    atomicWrite(this.#file(jobId), JSON.stringify(endpoint), 0o600);
  }

  /** Null: the job's endpoint is one of models.yaml. */
  read(jobId: string): AdHocEndpoint | null {
    const file = this.#file(jobId);
    // Written by this program, in the shape that it has here.
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as AdHocEndpoint) : null;
  }

  /** Removes those of jobs that are over, whoever ended them. */
  sweep(store: Pick<JobStore, 'find'>, nowMs: number): void {
    if (!existsSync(this.#dir)) return;
    for (const name of readdirSync(this.#dir)) {
      const file = join(this.#dir, name);
      const job = store.find(name.replace(/\.json$/, ''));
      const isOver = job === null ? isOld(file, nowMs) : isFinal(job.record.status);
      if (isOver) rmSync(file, { force: true });
    }
  }

  #file(jobId: string): string {
    return join(this.#dir, `${jobId}.json`);
  }
}

function isOld(file: string, nowMs: number): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && nowMs - stat.mtimeMs > UNOWNED_MS;
}
