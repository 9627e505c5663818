import { readReviewSource, readReviewUri, type UriParts } from './reviewUri.ts';

/** What an editor of the bridge shows: one changed file of a job, all of them, or a merge. */
export type ReviewTarget =
  | { readonly kind: 'file'; readonly jobId: string; readonly path: string }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'merge'; readonly jobId: string; readonly path: string };

/** What is needed of `vscode.Tab`. Its input is one of VS Code's classes, or nothing where it has none for that editor. */
export interface TabParts {
  readonly label: string;
  readonly input: unknown;
}

export function targetOfUri(uri: UriParts): ReviewTarget | null {
  const jobId = readReviewSource(uri);
  if (jobId !== null) return { kind: 'job', jobId };
  const document = readReviewUri(uri);
  if (document === null) return null;
  const { side, path } = document;
  const isMerge = side !== 'base' && side !== 'job';
  return { kind: isMerge ? 'merge' : 'file', jobId: document.jobId, path };
}

/**
 * What a tab shows, by the shape of its input: the multi-diff editor has a class in VS Code that extensions are not shown, which
 * leaves out added and deleted files. Where the input says nothing (those, and images), `known` is asked for the label.
 */
export function targetOfTab(
  { label, input }: TabParts,
  known: (label: string) => ReviewTarget | null,
): ReviewTarget | null {
  if (typeof input !== 'object' || input === null) return known(label);
  const { result, modified, original, textDiffs, uri } = input as Readonly<Record<string, unknown>>;
  if (Array.isArray(textDiffs)) {
    for (const diff of textDiffs as readonly unknown[]) {
      const file = targetOfTab({ label: '', input: diff }, () => null);
      if (file !== null) return { kind: 'job', jobId: file.jobId };
    }
    return known(label);
  }
  const uris = [result, modified, original, uri].filter(isUri);
  if (uris.length === 0) return known(label);
  return uris.reduce<ReviewTarget | null>((found, each) => found ?? targetOfUri(each), null);
}

function isUri(value: unknown): value is UriParts {
  if (typeof value !== 'object' || value === null) return false;
  const { scheme, path, query } = value as Readonly<Record<string, unknown>>;
  return typeof scheme === 'string' && typeof path === 'string' && typeof query === 'string';
}
