/** A job, and where one was named its file, as a command was given it. */
export interface JobReference {
  readonly jobId: string;
  readonly path: string | null;
}

/** What of a URI is needed to see whose job it is. */
export interface UriParts {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

/**
 * The job that an argument of a command names: a row of the tree, a document of a review, or an id. Null when it names none: VS Code
 * hands commands whatever a menu has at hand.
 */
export function jobReference(argument: unknown): JobReference | null {
  if (typeof argument === 'string') return argument === '' ? null : { jobId: argument, path: null };
  if (typeof argument !== 'object' || argument === null) return null;
  const { kind, jobId, path } = argument as Readonly<Record<string, unknown>>;
  if ((kind === 'job' || kind === 'file') && typeof jobId === 'string')
    return { jobId, path: kind === 'file' && typeof path === 'string' ? path : null };
  return isUri(argument) ? jobOfUri(argument) : null;
}

/** `delegate-job:/<path>?job=<id>` and `delegate-base:…` are files of a job; `delegate-job:/<id>` is the job. */
export function jobOfUri({ scheme, path, query }: UriParts): JobReference | null {
  if (!['delegate-job', 'delegate-base', 'delegate-merge'].includes(scheme)) return null;
  const jobId = new URLSearchParams(query).get('job');
  if (jobId !== null) return { jobId, path: path.replace(/^\//, '') };
  const id = path.replace(/^\//, '');
  return id === '' || id.includes('/') ? null : { jobId: id, path: null };
}

function isUri(value: object): value is UriParts {
  const { scheme, path, query } = value as Readonly<Record<string, unknown>>;
  return typeof scheme === 'string' && typeof path === 'string' && typeof query === 'string';
}
