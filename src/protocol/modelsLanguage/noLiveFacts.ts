import type { LiveFacts } from './liveFacts.ts';

/** Nobody has asked anything yet. */
export const NO_LIVE_FACTS: LiveFacts = {
  asked_at: null,
  trouble: '',
  endpoints: [],
  pools: [],
  secrets: null,
};
