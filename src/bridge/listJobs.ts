import { sep } from 'node:path';
import { realPathOfDeepest } from '../config/paths.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { JobFilterOptions } from './bridgeTypes.ts';
import type { JobStore } from './jobs/jobStore.ts';

/** Newest first. */
export function listJobs(store: JobStore, filter: JobFilterOptions): JobRecord[] {
  const jobs = store.list({
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
