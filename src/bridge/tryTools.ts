import { modelFacts } from '../config/modelFacts.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { Locality } from '../protocol/job.ts';
import { chooseFormat } from './endpoints/chooseFormat.ts';
import type { EndpointProbe, ServedModel } from './endpoints/endpointProbe.ts';
import type { EndpointTarget } from './endpoints/endpointTarget.ts';
import { isNear } from './endpoints/locality.ts';
import { redact } from './endpoints/redact.ts';
import { probeToolCalls } from './endpoints/toolProbe.ts';

const LIMIT_MS = 20_000;

export interface TriedTools {
  readonly model: string;
  readonly answer: 'yes' | 'no' | 'unknown';
  /** One sentence; for `yes` as well. */
  readonly why: string;
}

export interface TryToolsOptions {
  /** What the person named; null: the best of what is served. */
  readonly model: string | null;
  /** Null: nobody said. Then only a near server is asked, and only for a model that is loaded. */
  readonly isWanted: boolean | null;
  readonly locality: Locality;
  readonly models: EffectiveConfig['models'];
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Whether a model of a server calls tools, by one request. It costs something: money in a cloud, minutes where a model has to be loaded
 * first. Neither is spent unless a person asked for it.
 */
export async function tryTools(
  target: EndpointTarget,
  probe: EndpointProbe,
  options: TryToolsOptions,
): Promise<TriedTools | null> {
  const { isWanted, locality, timeoutMs = LIMIT_MS } = options;
  if (probe.state === 'down' || isWanted === false) return null;
  if (isWanted === null && !isNear(locality)) return null;
  const served = bestModel(probe, options.model);
  const model = served?.id ?? options.model;
  if (model === null) return null;
  const unknown = (why: string): TriedTools => ({ model, answer: 'unknown', why });
  if (served === null && probe.listsModels && probe.models.length > 0)
    return unknown(`${model} is not served there.`);
  const remoteHost = served?.remoteHost ?? null;
  if (isWanted === null && remoteHost !== null)
    return unknown(`${model} runs at ${remoteHost}; it is asked only when you say so.`);
  if (isWanted === null && served?.loaded === false)
    return unknown(`${model} is not loaded, and asking it would load it.`);
  const format = chooseFormat({
    configured: target.format,
    probe,
    model,
    modelFormat: modelFacts(options.models, model).format ?? null,
  });
  const answer = await probeToolCalls(target, model, format, {
    timeoutMs,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  if (typeof answer !== 'string') return unknown(redact(answer.error.message, target));
  return {
    model,
    answer,
    why:
      answer === 'yes'
        ? `${model} called a tool when it was asked to.`
        : `${model} did not call a tool when it was asked to. Start the server with its tool parser (llama.cpp: --jinja), or choose another model.`,
  };
}

/** The one that was named; else of those in memory the one with the largest window, else the first. Models of others' machines come last. */
function bestModel(probe: EndpointProbe, named: string | null): ServedModel | null {
  const { models } = probe;
  if (named !== null) return models.find(({ id }) => id === named) ?? null;
  const rank = ({ loaded, remoteHost, context }: ServedModel): number[] => [
    remoteHost === null ? 1 : 0,
    loaded === true ? 2 : loaded === null ? 1 : 0,
    loaded === true ? (context ?? 0) : 0,
  ];
  return [...models].sort((a, b) => compare(rank(b), rank(a)))[0] ?? null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
