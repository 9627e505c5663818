import type { Backend } from '../endpointSchema.ts';

export interface LiteLlmProvider {
  /** Root of the vendor's public API, below which `/v1` follows; null: there is none, the address has to be in the file. */
  readonly root: string | null;
  /** Variable that LiteLLM reads when the file names no key; null: it needs none. */
  readonly keyVariable: string | null;
  readonly backend: Backend;
}

const cloud = (root: string, keyVariable: string, backend: Backend = 'other'): LiteLlmProvider => ({
  root,
  keyVariable,
  backend,
});
const own = (backend: Backend, root: string | null = null): LiteLlmProvider => ({
  root,
  keyVariable: null,
  backend,
});

/**
 * Providers of LiteLLM (the part of `model` before the first "/") that serve chat completions or messages at `/v1` below a root.
 * Addresses and variables are LiteLLM's own defaults: get_llm_provider_logic.py and the `*_API_KEY` of docs.litellm.ai/docs/providers.
 * Not in here, because they speak another protocol or have no `/v1`: azure, bedrock, vertex_ai, gemini, perplexity, volcengine, …
 */
export const LITELLM_PROVIDERS: Readonly<Record<string, LiteLlmProvider>> = {
  openai: cloud('https://api.openai.com', 'OPENAI_API_KEY', 'openai'),
  anthropic: cloud('https://api.anthropic.com', 'ANTHROPIC_API_KEY', 'anthropic'),
  groq: cloud('https://api.groq.com/openai', 'GROQ_API_KEY'),
  mistral: cloud('https://api.mistral.ai', 'MISTRAL_API_KEY'),
  deepseek: cloud('https://api.deepseek.com', 'DEEPSEEK_API_KEY'),
  openrouter: cloud('https://openrouter.ai/api', 'OPENROUTER_API_KEY'),
  together_ai: cloud('https://api.together.xyz', 'TOGETHERAI_API_KEY'),
  fireworks_ai: cloud('https://api.fireworks.ai/inference', 'FIREWORKS_AI_API_KEY'),
  xai: cloud('https://api.x.ai', 'XAI_API_KEY'),
  cerebras: cloud('https://api.cerebras.ai', 'CEREBRAS_API_KEY'),
  nvidia_nim: cloud('https://integrate.api.nvidia.com', 'NVIDIA_NIM_API_KEY'),
  moonshot: cloud('https://api.moonshot.ai', 'MOONSHOT_API_KEY'),
  ollama: own('ollama', 'http://localhost:11434'),
  ollama_chat: own('ollama', 'http://localhost:11434'),
  lm_studio: own('lmstudio'),
  hosted_vllm: own('vllm'),
  llamafile: own('other'),
  custom_openai: own('other'),
  litellm_proxy: own('litellm'),
};

/** Names that LiteLLM knows without "provider/", as its lists of OpenAI's and Anthropic's models begin. */
export function providerOfBareName(model: string): string | null {
  if (/^(gpt-|o\d|chatgpt-|codex-)/.test(model)) return 'openai';
  if (model.startsWith('claude-')) return 'anthropic';
  return null;
}
