import type { SCHEMES } from '../../contributions.ts';

/** The parts of a URI that say what a document of a review is; `vscode.Uri` has them all, unescaped. */
export interface UriParts {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

/** `base` and `job` are the two sides of a change; the others are the four texts of a merge. */
export const REVIEW_SIDES = ['base', 'job', 'merge-base', 'yours', 'theirs', 'result'] as const;
export type ReviewSide = (typeof REVIEW_SIDES)[number];
export type MergeSide = Exclude<ReviewSide, 'base' | 'job'>;

export interface ReviewDocument {
  readonly jobId: string;
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly side: ReviewSide;
  /** The side that does not exist: of an added or a deleted file. It reads as empty. */
  readonly isNothing: boolean;
}

const BASE: typeof SCHEMES.base = 'delegate-base';
const JOB: typeof SCHEMES.job = 'delegate-job';
const MERGE: typeof SCHEMES.merge = 'delegate-merge';

/**
 * The URI of a document of a review. Both sides have the file's own path, so that VS Code takes them for one file: it chooses the
 * language by it, and a multi-diff editor does not call every edit a rename.
 */
export function reviewUri(
  document: Omit<ReviewDocument, 'isNothing'>,
  isNothing = false,
): UriParts {
  const { jobId, path, side } = document;
  const isMerge = side !== 'base' && side !== 'job';
  const query = new URLSearchParams({ job: jobId });
  if (isMerge) query.set('side', side);
  if (isNothing) query.set('nothing', '1');
  return {
    scheme: isMerge ? MERGE : side === 'base' ? BASE : JOB,
    path: `/${path}`,
    query: query.toString(),
  };
}

/** What a URI of `reviewUri` stands for; null for every other one. */
export function readReviewUri({ scheme, path, query }: UriParts): ReviewDocument | null {
  if (scheme !== BASE && scheme !== JOB && scheme !== MERGE) return null;
  const values = new URLSearchParams(query);
  const jobId = values.get('job');
  if (jobId === null || jobId === '' || !path.startsWith('/') || path === '/') return null;
  const side = scheme === BASE ? 'base' : scheme === JOB ? 'job' : values.get('side');
  if (!isSide(side) || (scheme === MERGE) === (side === 'base' || side === 'job')) return null;
  return { jobId, path: path.slice(1), side, isNothing: values.get('nothing') === '1' };
}

/** What a multi-diff editor of the job's whole review is known by. */
export function reviewSource(jobId: string): UriParts {
  return { scheme: JOB, path: `/${jobId}`, query: '' };
}

/** The job of a URI of `reviewSource`. */
export function readReviewSource({ scheme, path, query }: UriParts): string | null {
  const id = path.slice(1);
  return scheme === JOB && query === '' && id !== '' && !id.includes('/') ? id : null;
}

function isSide(value: string | null): value is ReviewSide {
  return REVIEW_SIDES.some((side) => side === value);
}
