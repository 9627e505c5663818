import type { ServerState } from '../bridge/serverState.ts';
import type { LoadState } from '../jobs/loadState.ts';

/** What a view has, for the welcome texts of package.json: with rows `ready` or `error`, without any the one thing to do next. */
export type ViewState =
  | 'loading'
  | 'error'
  | 'ready'
  | 'serverFailed'
  | 'serverStopped'
  | 'noFolder'
  | 'noGit'
  | 'noRepository'
  | 'untrusted'
  | 'noEndpoint'
  | 'noJobs';

export interface ViewFacts {
  readonly load: LoadState['kind'];
  readonly hasRows: boolean;
  readonly server: ServerState['kind'];
  readonly isTrusted: boolean;
  /** What the window has open. */
  readonly folder: 'none' | 'plain' | 'repository';
  readonly hasGit: boolean;
  /** Null while it is not known. */
  readonly hasEndpoint: boolean | null;
}

/** The first thing that is missing on the way to a first job: each has one text and one main button. */
export function jobsViewState(facts: ViewFacts): ViewState {
  if (facts.hasRows) return 'ready';
  if (facts.server === 'failed') return 'serverFailed';
  if (facts.load === 'error') return facts.server === 'running' ? 'error' : 'serverStopped';
  if (facts.load === 'loading') return 'loading';
  if (facts.folder === 'none') return 'noFolder';
  if (!facts.isTrusted) return 'untrusted';
  if (!facts.hasGit) return 'noGit';
  if (facts.folder === 'plain') return 'noRepository';
  return facts.hasEndpoint === false ? 'noEndpoint' : 'noJobs';
}

export function endpointsViewState(
  facts: Pick<ViewFacts, 'load' | 'hasRows' | 'server' | 'isTrusted'>,
): ViewState {
  if (facts.hasRows) return 'ready';
  if (facts.server === 'failed') return 'serverFailed';
  if (facts.load === 'error') return facts.server === 'running' ? 'error' : 'serverStopped';
  if (facts.load === 'loading') return 'loading';
  return facts.isTrusted ? 'noEndpoint' : 'untrusted';
}
