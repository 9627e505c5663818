import type { ModelFacts } from '../../../config/schema.ts';
import { answerRoom } from './answerRoom.ts';

/** What vendors are known to take at most (they answer 400 to more), by prefix of the name; models.yaml overrides it. */
const KNOWN_CAPS: Readonly<Record<string, number>> = { 'glm-': 131_072, 'qwen-3-8': 131_072 };

/** Output limits that have proved themselves for single names; models.yaml overrides them. */
const KNOWN_LIMITS: Readonly<Record<string, number>> = {
  'qwen-3-8-max-think': 131_072,
  'qwen-3-8-max': 131_072,
  'glm-coding-plan-max': 131_072,
  'glm-coding-plan-think': 65_536,
  'glm-coding-plan': 65_536,
  'deepseek-v4-flash': 150_000,
  'deepseek-v4-flash-max': 150_000,
  'deepseek-v4-pro': 150_000,
  'deepseek-v4-pro-max': 150_000,
};

export interface OutputLimitInput {
  readonly model: string;
  /** `max_tokens` of the call; what is no whole number above 0 counts as not given. */
  readonly asked: unknown;
  readonly facts: Pick<ModelFacts, 'max_tokens' | 'max_tokens_cap'>;
  /** `runners.loop.max_tokens`. */
  readonly configured: number;
  /** Tokens per request; null: nobody said. */
  readonly contextWindow: number | null;
}

/**
 * The output limit of every turn of a job, in tokens. It is one number for the whole job, because one that varied would change the
 * request before its messages.
 */
export function outputLimit(input: OutputLimitInput): number {
  const { asked, facts, configured, contextWindow } = input;
  const model = input.model.toLowerCase();
  const wanted =
    typeof asked === 'number' && Number.isInteger(asked) && asked > 0
      ? asked
      : (facts.max_tokens ?? KNOWN_LIMITS[model] ?? configured);
  const known = Object.entries(KNOWN_CAPS).find(([prefix]) => model.startsWith(prefix))?.[1];
  const cap = facts.max_tokens_cap ?? known ?? wanted;
  const room = contextWindow === null ? wanted : answerRoom(contextWindow);
  return Math.min(wanted, cap, room);
}
