import { formatCount, formatPlural } from '../../../src/protocol/statusLineParts.ts';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';

type LiveEndpoint = LiveFacts['endpoints'][number];
type LiveModel = LiveEndpoint['probe']['models'][number];

/** How an endpoint stands, for the head of its card. */
export interface EndpointFace {
  readonly icon: 'pass-filled' | 'error' | 'question';
  readonly tone: 'good' | 'bad' | 'quiet';
  readonly word: string;
  /** The rest of the line, the most important first. */
  readonly parts: readonly string[];
  /** Null: nothing is known of the endpoint that the file describes. */
  readonly endpoint: LiveEndpoint | null;
}

const BACKENDS: Readonly<Record<string, string>> = {
  vllm: 'vLLM',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  litellm: 'LiteLLM',
  bifrost: 'Bifrost',
  anthropic: 'Anthropic API',
  openai: 'OpenAI API',
  other: '',
};

/** `baseUrl` is what the file says now: an answer from another address says nothing about it. */
export function endpointFace(
  name: string,
  baseUrl: unknown,
  live: LiveFacts,
  isLive: boolean,
): EndpointFace {
  const unknown = { icon: 'question', tone: 'quiet', word: 'unknown', endpoint: null } as const;
  if (live.asked_at === null) return { ...unknown, parts: ['not asked yet'] };
  const endpoint = live.endpoints.find((each) => each.name === name);
  if (endpoint === undefined) return { ...unknown, parts: ['not asked yet'] };
  if (!isSameAddress(endpoint.base_url, baseUrl))
    return { ...unknown, parts: ['not asked at this address'] };
  const { probe } = endpoint;
  const isUp = probe.state === 'up';
  const parts = isUp ? upParts(endpoint) : [probe.message ?? 'does not answer'];
  if (!isLive)
    return { ...unknown, word: isUp ? 'was up' : 'was down', parts: parts.slice(0, 2), endpoint };
  return isUp
    ? { icon: 'pass-filled', tone: 'good', word: 'up', parts, endpoint }
    : { icon: 'error', tone: 'bad', word: 'down', parts, endpoint };
}

function upParts({
  probe,
  in_use: inUse,
  max_concurrent: limit,
  locality,
}: LiveEndpoint): string[] {
  const [only] = probe.models;
  const models =
    probe.models.length === 1 && only !== undefined
      ? [only.id, windowWords(only)]
      : [
          probe.lists_models
            ? formatPlural(probe.models.length, 'model')
            : 'does not list its models',
        ];
  return [
    backendWords(probe.backend),
    ...models,
    useWords(inUse, limit),
    localityWords(locality),
  ].filter((part) => part !== '');
}

export function backendWords(backend: string): string {
  return BACKENDS[backend] ?? backend;
}

export function localityWords(locality: string): string {
  return locality === 'unknown' ? 'place unknown' : locality === 'lan' ? 'LAN' : locality;
}

export function windowWords({ context }: Pick<LiveModel, 'context'>): string {
  return context === null ? '' : formatCount(context);
}

/** What a model says about calling tools. It is a claim until a job has tried. */
export function toolsWords({ claims_tools: tools }: Pick<LiveModel, 'claims_tools'>): string {
  return tools === null ? 'tools unknown' : tools ? 'tools yes' : 'tools no';
}

function useWords(inUse: number, limit: number | null): string {
  return limit === null ? `${inUse} in use` : `${inUse}/${limit} in use`;
}

function isSameAddress(asked: string, written: unknown): boolean {
  return typeof written === 'string' && bare(asked) === bare(written);
}

function bare(address: string): string {
  return address.trim().replace(/\/+$/, '');
}
