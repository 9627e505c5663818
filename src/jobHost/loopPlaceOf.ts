import { modelFacts } from '../config/modelFacts.ts';
import type { ModelFacts } from '../config/schema.ts';
import type { JobRequest } from '../protocol/job.ts';
import { chooseFormat } from '../bridge/endpoints/chooseFormat.ts';
import type { WireFormat } from '../bridge/endpoints/endpointTarget.ts';
import type { LoopPlace } from '../bridge/runners/loop/loopPlace.ts';
import { outputLimit } from '../bridge/runners/loop/outputLimit.ts';
import type { JobEndpoint } from './jobSetup.ts';

/** Where Anthropic's marks for prompt caching are known to do good; models.yaml says otherwise with `prompt_cache`. */
const CACHED_PREFIXES = ['glm-', 'bedrock-', 'claude-', 'anthropic/'];
/** Vendors that refuse a thinking model's history without its reasoning; models.yaml says otherwise with `resend_reasoning`. */
const RESENT_PREFIXES = ['deepseek-', 'deepseek/'];

/** How turns are asked for at an endpoint: format, limits and habits of the model there. */
export function loopPlaceOf(
  endpoint: JobEndpoint,
  model: string,
  request: Pick<JobRequest, 'maxTokens'>,
): LoopPlace {
  const { models, runners } = endpoint.config.config;
  const { target } = endpoint.resolved;
  const facts = modelFacts(models, model);
  const format = chooseFormat({
    configured: target.format,
    probe: endpoint.probe,
    model,
    modelFormat: facts.format ?? null,
  });
  return {
    endpoint: target.name,
    target,
    model,
    format,
    contextWindow: endpoint.contextWindow,
    maxTokens: outputLimit({
      model,
      asked: request.maxTokens,
      facts,
      configured: runners.loop.max_tokens,
      contextWindow: endpoint.contextWindow,
    }),
    hasCacheMarks: hasCacheMarks(facts, model, format),
    resendsReasoning: facts.resend_reasoning ?? hasPrefix(model, RESENT_PREFIXES),
  };
}

function hasCacheMarks(facts: ModelFacts, model: string, format: WireFormat): boolean {
  if (format !== 'anthropic' || facts.prompt_cache === 'none') return false;
  return facts.prompt_cache === 'anthropic' || hasPrefix(model, CACHED_PREFIXES);
}

function hasPrefix(model: string, prefixes: readonly string[]): boolean {
  const name = model.toLowerCase();
  return prefixes.some((prefix) => name.startsWith(prefix));
}
