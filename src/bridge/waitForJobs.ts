import type { JobRecord } from '../protocol/job.ts';
import type { WaitOptions, WaitResult } from './bridgeTypes.ts';
import type { JobStore } from './jobs/jobStore.ts';
import { isFinal } from './jobs/status.ts';
import type { StoreWatcher } from './jobs/storeWatcher.ts';

const PROGRESS_MS = 15_000;

/** Waits until any or all of the jobs have ended; returns at once when that is so already. A caller that leaves cancels nothing. */
export async function waitForJobs(
  store: JobStore,
  watcher: StoreWatcher,
  ids: readonly string[],
  options: WaitOptions,
): Promise<WaitResult> {
  const read = (): JobRecord[] => ids.flatMap((id) => store.find(id)?.record ?? []);
  const isEnough = (jobs: readonly JobRecord[]): boolean => {
    const ended = jobs.filter((job) => isFinal(job.status)).length;
    return options.mode === 'any' ? ended > 0 || jobs.length === 0 : ended === jobs.length;
  };
  let jobs = read();
  if (!isEnough(jobs) && options.timeoutMs > 0 && options.signal?.aborted !== true) {
    jobs = await new Promise<JobRecord[]>((resolve) => {
      let present = jobs;
      const finish = (): void => {
        watch.dispose();
        clearInterval(beat);
        clearTimeout(limit);
        options.signal?.removeEventListener('abort', finish);
        resolve(read());
      };
      const watch = watcher.onDidChange(() => {
        present = read();
        if (isEnough(present)) finish();
        else options.onProgress?.(present);
      });
      const beat = setInterval(() => options.onProgress?.(present), PROGRESS_MS);
      const limit = setTimeout(finish, Math.min(options.timeoutMs, 2 ** 31 - 1));
      options.signal?.addEventListener('abort', finish, { once: true });
      // It may have ended between the first look and the first poll.
      if (isEnough(read())) finish();
    });
  }
  return {
    finished: jobs.filter((job) => isFinal(job.status)),
    pending: jobs.filter((job) => !isFinal(job.status)),
    isTimedOut: !isEnough(jobs),
  };
}
