import { asArray, asObject, asPositive, asString } from '../jsonValue.ts';
import type { Findings, ProbeContext } from '../probeContext.ts';
import type { ServedModel } from '../endpointProbe.ts';

// Each model costs one more request; a library of hundreds would turn the probe into load.
const MAX_ASKED = 24;

interface Learnt {
  readonly model: Partial<ServedModel> & { readonly id: string };
  readonly isEmbedding: boolean;
}

/**
 * Ollama: which models are loaded and with which window, which call tools, and which it forwards to
 * its cloud. The window of a model that is not loaded is the `num_ctx` of its file; without one
 * Ollama decides when it loads the model, and cuts longer prompts silently.
 */
export async function askOllama(context: ProbeContext): Promise<Findings> {
  const [tags, running] = await Promise.all([
    context.ask({ path: '/api/tags' }),
    context.ask({ path: '/api/ps' }),
  ]);
  const tagged = byName(tags?.json);
  const loaded = byName(running?.json);
  const learnt = await Promise.all(
    context.entries.map(async ({ id }, index): Promise<Learnt> => {
      const shown =
        index < MAX_ASKED
          ? await context.ask({ path: '/api/show', method: 'POST', body: { model: id } })
          : null;
      const show = shown?.status === 200 ? asObject(shown.json) : null;
      const live = loaded.get(id);
      const remoteHost =
        asString(tagged.get(id)?.['remote_host']) ?? asString(show?.['remote_host']);
      const capabilities = show?.['capabilities'];
      const can = (what: string): boolean | null =>
        Array.isArray(capabilities) ? capabilities.includes(what) : null;
      return {
        model: {
          id,
          loaded: running?.status === 200 ? live !== undefined : null,
          remoteHost,
          claimsTools: can('tools'),
          ...windowOf(live?.['context_length'], show?.['parameters'], remoteHost !== null),
        },
        isEmbedding: can('embedding') === true && can('completion') === false,
      };
    }),
  );
  return {
    models: learnt.map(({ model }) => model),
    drop: learnt.filter(({ isEmbedding }) => isEmbedding).map(({ model }) => model.id),
  };
}

function windowOf(
  liveLength: unknown,
  parameters: unknown,
  isRemote: boolean,
): Partial<ServedModel> {
  const live = asPositive(liveLength);
  if (live !== null) return { context: live, contextSource: 'ollama:/api/ps context_length' };
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(asString(parameters) ?? '')?.[1];
  const fixed = asPositive(Number(set));
  if (fixed !== null) return { context: fixed, contextSource: 'ollama:/api/show num_ctx' };
  if (isRemote) return {};
  return {
    warning:
      'Ollama does not say how long its window will be and cuts longer prompts silently: set OLLAMA_CONTEXT_LENGTH or num_ctx.',
  };
}

function byName(json: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const entries = asArray(asObject(json)?.['models']).flatMap((item) => {
    const model = asObject(item);
    const name = asString(model?.['name']) ?? asString(model?.['model']);
    return model === null || name === null ? [] : [[name, model] as const];
  });
  return new Map(entries);
}
