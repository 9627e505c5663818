import type { BridgeContext } from './bridgeContext.ts';
import type { FeedAnswer } from './jobs/feedRows.ts';
import { repositoryTop } from './repositoryTop.ts';

const DEFAULT_LIMIT = 50;

export interface JobFeedOptions {
  /** Revision of the last answer: only what has changed after it. */
  readonly since?: number;
  /** `seq` of the oldest finished job known: the next older page. */
  readonly before?: number;
  /** Only jobs of the repositories that hold one of these folders. */
  readonly folders?: readonly string[];
  /** Finished jobs of a page. */
  readonly limit?: number;
}

/** The list of jobs as a view keeps it: everything open and a page of the rest, then what has changed. */
export function feedJobs(context: BridgeContext, options: JobFeedOptions): FeedAnswer {
  return context.store.feed({
    since: options.since ?? null,
    before: options.before ?? null,
    repoRoots:
      options.folders === undefined ? null : [...new Set(options.folders.map(repositoryTop))],
    limit: options.limit ?? DEFAULT_LIMIT,
  });
}
