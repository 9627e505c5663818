import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { Caller } from './bridgeTypes.ts';
import { endRecord } from './jobs/endRecord.ts';
import { isFinal } from './jobs/status.ts';
import type { QueueKeeper } from './queueKeeper.ts';
import type { StoreWatcher } from './jobs/storeWatcher.ts';
import { waitForJobs } from './waitForJobs.ts';

const CANCEL_LIMIT_MS = 60_000;

/** A waiting job ends at once; a running one is told to, and what it left behind is there when this resolves. */
export async function cancelJob(
  context: BridgeContext,
  queue: QueueKeeper,
  watcher: StoreWatcher,
  job: JobRecord,
  caller: Caller,
): Promise<JobRecord> {
  const { store } = context;
  const by = `${caller.kind}:${caller.name}`;
  queue.recoverDead();
  const record = store.update(
    job.id,
    (present) =>
      present.status === 'queued'
        ? endRecord(
            present,
            'cancelled',
            { kind: 'cancelled', message: `Cancelled by ${by} before it started.`, hint: '' },
            new Date(),
          )
        : null,
    { cancelBy: by },
  );
  if (isFinal(record.status)) return record;
  // A host that dies of the cancel, or never came up, is noticed here.
  const care = setInterval(() => queue.recoverDead(), 500);
  try {
    const { finished } = await waitForJobs(store, watcher, [job.id], {
      mode: 'all',
      timeoutMs: CANCEL_LIMIT_MS,
    });
    const [ended] = finished;
    if (ended !== undefined) return ended;
  } finally {
    clearInterval(care);
  }
  throw new BridgeError('timeout', `The job ${job.id} did not end within a minute of its cancel.`, {
    hint: 'It still has the order to end; look at host.log in its folder.',
  });
}
