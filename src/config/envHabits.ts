import type { ModelsFile } from './schema.ts';

/**
 * What delegate-local does without being told: its pools, its chains and what it knows of models by their names. Whoever
 * comes from there gets it as a file that can be changed.
 */
export const HABITS: ModelsFile = {
  pools: {
    'local-': { slots: 2 },
    ornith: { slots: 2 },
    'glm-': { slots: 6 },
    'deepseek-v4-flash': { slots: 6 },
    'deepseek-': { slots: 6 },
    'qwen-3-8': { slots: 6 },
    'qwen-': { slots: 6 },
    minimax: { slots: 4 },
    grok: { slots: 4 },
    codex: { slots: 4 },
    'gpt-': { slots: 4 },
    default: { slots: 4 },
  },
  failover: {
    chains: {
      'glm-coding-plan-think': ['qwen-3-8-max', 'deepseek-v4-flash'],
      'deepseek-v4-flash': ['glm-coding-plan-think', 'qwen-3-8-max'],
      'glm-5-3-flash': ['qwen-3-8-max', 'deepseek-v4-flash'],
    },
  },
  models: {
    'glm-*': { billing: 'flat', max_tokens_cap: 131_072, prompt_cache: 'anthropic' },
    'glm-coding-plan-max': { max_tokens: 131_072 },
    'qwen-3-8*': { max_tokens_cap: 131_072 },
    'qwen-3-8-max*': { max_tokens: 131_072 },
    'deepseek-*': { billing: 'metered', resend_reasoning: true },
    'deepseek-v4-flash*': { max_tokens: 150_000 },
    'deepseek-v4-pro*': { max_tokens: 150_000 },
    'bedrock-*': { prompt_cache: 'anthropic' },
    '*-max': { max_tokens: 150_000 },
  },
};
