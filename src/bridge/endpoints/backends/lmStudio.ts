import { asArray, asObject, asPositive, asString } from '../jsonValue.ts';
import type { Findings, ProbeContext } from '../probeContext.ts';
import type { ServedModel } from '../endpointProbe.ts';

/**
 * LM Studio's own list says what `/v1/models` does not: type, whether it is loaded, and the window
 * it was loaded with.
 */
export async function askLmStudio(context: ProbeContext): Promise<Findings> {
  const reply = await context.ask({ path: '/api/v0/models' });
  if (reply?.status !== 200) return {};
  const items = asArray(asObject(reply.json)?.['data']).flatMap((item) => {
    const model = asObject(item);
    const id = asString(model?.['id']);
    return model === null || id === null ? [] : [{ id, model }];
  });
  return {
    backend: 'lmstudio',
    drop: items.filter(({ model }) => model['type'] === 'embeddings').map(({ id }) => id),
    models: items.map(({ id, model }): Partial<ServedModel> & { id: string } => {
      const isLoaded = model['state'] === 'loaded';
      const length = isLoaded ? asPositive(model['loaded_context_length']) : null;
      const longest = asPositive(model['max_context_length']);
      const capabilities = model['capabilities'];
      return {
        id,
        loaded: asString(model['state']) === null ? null : isLoaded,
        ...(Array.isArray(capabilities) ? { claimsTools: capabilities.includes('tool_use') } : {}),
        ...(length === null
          ? {}
          : { context: length, contextSource: 'lmstudio:loaded_context_length' }),
        ...(isLoaded
          ? {}
          : {
              warning: `Not loaded: the first request loads it and may unload another model${
                longest === null ? '' : `; its window can be at most ${longest} tokens`
              }.`,
            }),
      };
    }),
  };
}
