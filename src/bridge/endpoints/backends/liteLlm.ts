import { asArray, asObject, asPositive, asString } from '../jsonValue.ts';
import type { Findings, ProbeContext } from '../probeContext.ts';
import type { ServedModel } from '../endpointProbe.ts';

/**
 * LiteLLM knows the windows of the models behind its aliases; that is the upstream's window, the
 * best a gateway can say.
 */
export async function askLiteLlm(context: ProbeContext): Promise<Findings> {
  const reply = await context.ask({ path: '/v1/model/info' });
  if (reply?.status !== 200) return {};
  const models = asArray(asObject(reply.json)?.['data']).flatMap(
    (item): (Partial<ServedModel> & { id: string })[] => {
      const entry = asObject(item);
      const id = asString(entry?.['model_name']);
      if (id === null) return [];
      const info = asObject(entry?.['model_info']);
      const length = asPositive(info?.['max_input_tokens']);
      const claim = info?.['supports_function_calling'];
      return [
        {
          id,
          ...(length === null
            ? {}
            : { context: length, contextSource: 'litellm:max_input_tokens' }),
          ...(typeof claim === 'boolean' ? { claimsTools: claim } : {}),
        },
      ];
    },
  );
  return { models };
}

/**
 * Whether a server of unknown kind is a LiteLLM: what listens on loopback may still send everything
 * to a cloud.
 */
export async function looksLikeLiteLlm(context: ProbeContext): Promise<boolean> {
  const reply = await context.ask({ path: '/health/liveliness', maxBytes: 4096 });
  return reply?.status === 200 && /I'm alive/i.test(reply.text);
}
