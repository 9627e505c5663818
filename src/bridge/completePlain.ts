import { BridgeError } from '../base/bridgeError.ts';
import { modelFacts } from '../config/modelFacts.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { CompleteOptions, CompleteResult } from './bridgeTypes.ts';
import { decideRoute } from './decideRoute.ts';
import { chooseFormat } from './endpoints/chooseFormat.ts';
import { completeText } from './endpoints/complete.ts';
import { resolveTarget } from './resolveTarget.ts';

const DEFAULT_MAX_TOKENS = 4_096;

/** One plain request without tools; nothing is written anywhere. */
export async function completePlain(
  context: BridgeContext,
  options: CompleteOptions,
  repoRoot: string | null,
): Promise<CompleteResult> {
  const config = context.loadConfig(repoRoot);
  const { decision, policy, endpoints } = await decideRoute(
    context,
    config,
    {
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      ...(options.policy === undefined ? {} : { policy: options.policy }),
    },
    { needsTools: false, ...(options.signal ? { signal: options.signal } : {}) },
  );
  if (!decision.ok) throw decision.error;
  const surveyed = endpoints.find((candidate) => candidate.name === decision.endpoint);
  if (!surveyed?.probe)
    throw new BridgeError('internal', `The endpoint ${decision.endpoint} was not surveyed.`);
  const { target } = await resolveTarget(
    decision.endpoint,
    surveyed.entry,
    policy,
    context,
    decision.model,
  );
  try {
    const answer = await completeText(target, {
      model: decision.model,
      prompt: options.prompt,
      ...(options.system === undefined ? {} : { system: options.system }),
      maxTokens: options.maxTokens ?? DEFAULT_MAX_TOKENS,
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
      format: chooseFormat({
        configured: surveyed.entry.format,
        probe: surveyed.probe,
        model: decision.model,
        modelFormat: modelFacts(config.config.models, decision.model).format ?? null,
      }),
      timeoutMs: options.timeoutMs ?? config.config.defaults.timeout_s * 1000,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return {
      text: answer.text,
      endpoint: decision.endpoint,
      modelRequested: options.model ?? null,
      modelServed: answer.modelServed,
      stopReason: answer.stopReason,
      usage: answer.usage,
      rule: decision.rule,
    };
  } finally {
    await target.dispatcher.close();
  }
}
