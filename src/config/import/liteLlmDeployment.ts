import type { Backend } from '../endpointSchema.ts';
import type { ModelsFile } from '../schema.ts';
import { isGroup } from '../parts.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote, quoted } from './importNote.ts';
import { LITELLM_PROVIDERS, providerOfBareName } from './liteLlmProviders.ts';
import { liteLlmReference, type ReferenceSources } from './liteLlmReference.ts';

export interface Deployment {
  /** `model_name`: what clients of LiteLLM ask for. */
  readonly alias: string;
  /** What the server itself calls it; may hold `*`. */
  readonly model: string;
  readonly root: string;
  readonly provider: string;
  readonly backend: Backend;
  /** A reference; empty: none. */
  readonly key: string;
  readonly facts: NonNullable<ModelsFile['models']>[string];
}

export interface DeploymentSources extends ReferenceSources {
  /** For `api_base: os.environ/NAME`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One entry of `model_list`, or the sentence that says why it cannot be asked without LiteLLM. */
export function liteLlmDeployment(
  item: unknown,
  sources: DeploymentSources,
): Deployment | { readonly note: string } {
  if (!isGroup(item) || !isGroup(item['litellm_params']))
    return no('An entry of model_list', 'it names no model');
  const params = item['litellm_params'];
  const info = isGroup(item['model_info']) ? item['model_info'] : {};
  const full = params['model'];
  const alias = typeof item['model_name'] === 'string' ? item['model_name'] : full;
  if (typeof full !== 'string' || full === '' || typeof alias !== 'string')
    return no('An entry of model_list', 'it names no model');
  const who = `The model ${quoted(alias)}`;
  const mode = info['mode'];
  if (typeof mode === 'string' && !/^(chat|completion|responses)$/.test(mode))
    return no(who, `it is for ${quoted(mode)}, not for chat`);
  const named = nameOf(full, params['custom_llm_provider']);
  if (named === null) return no(who, `it names no provider that is known`);
  const { provider, model } = named;
  const known = Object.hasOwn(LITELLM_PROVIDERS, provider)
    ? LITELLM_PROVIDERS[provider]
    : undefined;
  if (known === undefined)
    return no(who, `the provider ${quoted(provider)} can only be asked through LiteLLM`);
  const address = addressOf(params['api_base'] ?? params['base_url'], sources, known.root);
  if ('problem' in address) return no(who, address.problem);
  const key = liteLlmReference(
    params['api_key'],
    address.isDefault ? `litellm-${provider}` : keyName(provider, address.root),
    `litellm_params.api_key of ${quoted(alias)}`,
    sources,
  );
  if (key === null) return no(who, 'what stands at its api_key is no key');
  const isVendor = address.isDefault && known.keyVariable !== null;
  return {
    ...{ alias, model, provider, root: address.root },
    // With an address of its own the provider only says which protocol is spoken.
    backend: address.isDefault || known.keyVariable === null ? known.backend : 'other',
    key:
      key === '' && isVendor
        ? (liteLlmReference(`os.environ/${known.keyVariable}`, '', '', sources) ?? '')
        : key,
    facts: factsOf(params, info),
  };
}

function no(who: string, why: string): { note: string } {
  return { note: importNote(`${who} was left out: ${why}.`) };
}

function nameOf(full: string, custom: unknown): { provider: string; model: string } | null {
  const slash = full.indexOf('/');
  if (typeof custom === 'string' && custom !== '')
    return {
      provider: custom,
      model: full.startsWith(`${custom}/`) ? full.slice(custom.length + 1) : full,
    };
  if (slash > 0) return { provider: full.slice(0, slash), model: full.slice(slash + 1) };
  const provider = providerOfBareName(full);
  return provider === null ? null : { provider, model: full };
}

function addressOf(
  given: unknown,
  { env, variables }: DeploymentSources,
  usual: string | null,
): { root: string; isDefault: boolean } | { problem: string } {
  if (given === undefined || given === null || given === '')
    return usual === null ? { problem: 'it has no api_base' } : { root: usual, isDefault: true };
  if (typeof given !== 'string') return { problem: 'its api_base is no address' };
  let text = given.trim();
  if (text.startsWith('os.environ/')) {
    const name = text.slice('os.environ/'.length);
    const set = Object.hasOwn(variables, name)
      ? variables[name]
      : Object.hasOwn(env, name)
        ? env[name]
        : undefined;
    if (typeof set !== 'string' || set === '')
      return { problem: `its address is in ${quoted(name)}, which is not set here` };
    text = set;
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { problem: 'its api_base is no http address' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'its api_base holds a login; write the endpoint with a key instead' };
  // Every request goes to "/v1/…" below the root, so that another version in the address cannot be reached.
  if (
    /\/v\d+(beta\d*|alpha)?(\/|$)/.test(url.pathname) &&
    !/\/v1(\/(messages|chat\/completions))?\/?$/.test(url.pathname)
  )
    return { problem: 'its api_base has another path than /v1' };
  const root = serverRoot(text);
  return { root, isDefault: usual !== null && root === usual };
}

function keyName(provider: string, root: string): string {
  return `litellm-${provider}-${URL.parse(root)?.hostname ?? ''}`;
}

/** What the person wrote about the model, where it has a place here. */
function factsOf(
  params: Record<string, unknown>,
  info: Record<string, unknown>,
): Deployment['facts'] {
  const count = (value: unknown): number | null =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
  const price = (name: string): number | null => {
    const value = params[name] ?? info[name];
    // LiteLLM counts by the token, models.yaml by the million; rounded, because 2e-7 * 1e6 is 0.19999999999999998.
    return typeof value === 'number' && value >= 0 && value < 1
      ? Number((value * 1e6).toPrecision(12))
      : null;
  };
  const found = {
    context_window: count(info['max_input_tokens']),
    max_tokens: count(params['max_tokens']),
    input_per_mtok: price('input_cost_per_token'),
    output_per_mtok: price('output_cost_per_token'),
    cache_read_per_mtok: price('cache_read_input_token_cost'),
    cache_write_per_mtok: price('cache_creation_input_token_cost'),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}
