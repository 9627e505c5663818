import { formatPlural } from '../../protocol/statusLineParts.ts';
import { describeServerState, type ServerState } from '../bridge/serverState.ts';

export interface StatusFacts {
  readonly running: number;
  readonly waiting: number;
  readonly review: number;
  readonly server: ServerState;
  readonly isAllShown: boolean;
  readonly hasFolder: boolean;
}

export interface StatusText {
  readonly isShown: boolean;
  readonly text: string;
  /** Plain words, also for screen readers. */
  readonly tooltip: string;
  readonly isWarning: boolean;
}

/** The item in the status bar: what runs, what waits, what is for you. Counts alone: the icons are explained where one points at it. */
export function statusText(facts: StatusFacts): StatusText {
  const { running, waiting, review, server, isAllShown, hasFolder } = facts;
  const counts = [
    count('loading~spin', running),
    count('clock', waiting),
    count('git-pull-request', review),
  ].filter((part) => part !== null);
  if (server.kind === 'failed') {
    return {
      isShown: true,
      text: '$(warning) Delegation',
      tooltip: describeServerState(server),
      isWarning: true,
    };
  }
  const words = [
    running === 0 ? null : `${formatPlural(running, 'job')} running`,
    waiting === 0 ? null : `${waiting} waiting for a place`,
    review === 0 ? null : `${review} to review`,
  ].filter((part) => part !== null);
  const where = isAllShown ? 'in all repositories' : 'in this repository';
  return {
    // Without a folder and without jobs there is nothing that the item could be about.
    isShown: hasFolder || counts.length > 0,
    text: counts.length === 0 ? '$(type-hierarchy-sub)' : counts.join(' '),
    tooltip: `Delegation: ${words.length === 0 ? 'no job runs or waits' : words.join(', ')} ${where}`,
    isWarning: false,
  };
}

function count(icon: string, value: number): string | null {
  return value === 0 ? null : `$(${icon}) ${value}`;
}
