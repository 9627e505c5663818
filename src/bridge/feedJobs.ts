import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPathOfDeepest } from '../config/paths.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { FeedAnswer } from './jobs/feedRows.ts';

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

/** Without git, since a view asks at every change: the nearest folder with a `.git`, or the folder itself where there is none. */
export function repositoryTop(folder: string): string {
  const start = realPathOfDeepest(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return start;
  }
}
