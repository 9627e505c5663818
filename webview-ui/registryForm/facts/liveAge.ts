import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { relativeTime } from '../../facts/relativeTime.ts';

/** What is older counts no longer as live. */
const LIVE_S = 60;

export interface LiveAge {
  /** False: what is shown is how it was, or nobody has asked. */
  readonly isLive: boolean;
  readonly words: string;
}

/** How old the live facts are, in words. */
export function liveAge(
  live: Pick<LiveFacts, 'asked_at' | 'trouble'>,
  isAsking: boolean,
  nowMs: number,
): LiveAge {
  const asking = isAsking ? 'Asking the endpoints… ' : '';
  const trouble = live.trouble === '' ? '' : `${live.trouble.replace(/\.?$/, '.')} `;
  if (live.asked_at === null) {
    return {
      isLive: false,
      words: `${asking}${trouble}${isAsking ? '' : 'The endpoints were not asked yet.'}`.trim(),
    };
  }
  // A clock that was put back makes a time to come.
  const ageS = Math.max(0, Math.floor((nowMs - Date.parse(live.asked_at)) / 1000));
  const isLive = trouble === '' && ageS <= LIVE_S;
  const age = ageS < 60 ? `${ageS} s ago` : relativeTime(live.asked_at, nowMs);
  return { isLive, words: `${asking}${trouble}${isLive ? 'Asked' : 'Last asked'} ${age}.` };
}
