import { BridgeError } from '../../base/bridgeError.ts';
import type { StoredJob } from './jobRow.ts';
import type { JobStore } from './jobStore.ts';

/**
 * Full id, or a head or tail of one that only one job has.
 * @throws BridgeError unknown_job (the newest ids in `details.known`), ambiguous_job (those that fit)
 */
export function findJob(store: JobStore, id: string): StoredJob {
  const exact = store.find(id);
  if (exact) return exact;
  const found = id.length < 4 ? [] : store.findIds(id);
  const [only] = found;
  if (only !== undefined && found.length === 1) return findJob(store, only);
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
