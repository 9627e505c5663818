import { BridgeError } from '../base/bridgeError.ts';
import { modelFacts } from '../config/modelFacts.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { answersAsFactKey, toolCallFactKey } from '../bridge/decideRoute.ts';
import { chooseFormat } from '../bridge/endpoints/chooseFormat.ts';
import { probeToolCalls } from '../bridge/endpoints/toolProbe.ts';
import type { JobEndpoint } from './jobSetup.ts';

const PROBE_LIMIT_MS = 120_000;
const FACT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * A model is asked for one tool call once per endpoint and day, in the place that the job already holds. One that cannot make it is
 * refused for agent runners; when it could not be found out, the job goes on with a warning.
 * @throws BridgeError model_unsuitable
 */
export async function checkToolCalls(
  context: BridgeContext,
  endpoint: JobEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { target } = endpoint.resolved;
  const key = toolCallFactKey(target.name, model);
  const known = context.store.fact(key);
  const isFresh = known !== null && Date.now() - Date.parse(known.at) < FACT_LIFETIME_MS;
  const format = chooseFormat({
    configured: target.format,
    probe: endpoint.probe,
    model,
    modelFormat: modelFacts(endpoint.config.config.models, model).format ?? null,
  });
  const answer = isFresh
    ? known.value
    : await probeToolCalls(target, model, format, {
        timeoutMs: PROBE_LIMIT_MS,
        signal,
        onModelName: (name) =>
          context.store.setFact(answersAsFactKey(target.name, model), name, new Date()),
      });
  if (typeof answer !== 'string')
    return `Whether ${model} can call tools could not be found out: ${answer.error.message}`;
  if (!isFresh) context.store.setFact(key, answer, new Date());
  if (answer === 'no') {
    throw new BridgeError(
      'model_unsuitable',
      `${model} on ${target.name} did not call a tool when it was asked to.`,
      {
        hint: 'Start the server with its tool parser (llama.cpp: --jinja), or choose another model; plain questions still work.',
      },
    );
  }
  return null;
}
