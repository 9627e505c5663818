import { wholeFileProblem } from './wholeFileProblem.ts';
import type { ConfigLayer } from './mergeLayers.ts';
import type { ConfigProblem } from './problem.ts';
import type { ModelsFile } from './schema.ts';
import { isSameServer, serverRoot } from './serverRoot.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Endpoint = NonNullable<ModelsFile['endpoints']>[string];

/** Where LiteLLM listens when nobody said otherwise. */
const DEFAULT_URL = 'http://localhost:4000';
const LITELLM_NAME = 'delegate-local';
const BIFROST_NAME = 'bifrost';

/**
 * The endpoint that DELEGATE_GATEWAY, DELEGATE_LOCAL_URL/KEY and DELEGATE_BIFROST_* make. Without any file there always is
 * one. Its place is `unknown`: these variables name a gateway, and a gateway may send a request anywhere. Keys are held
 * as references, never as values.
 */
export function environmentEndpoint(
  env: Environment,
  files: ModelsFile,
  hasFile: boolean,
): { layers: ConfigLayer[]; problems: ConfigProblem[] } {
  const gateway = gatewayOf(env);
  if (gateway === 'bifrost') return bifrost(env, files);
  if (gateway !== 'litellm') {
    return refused(
      'DELEGATE_GATEWAY',
      `"${gateway.slice(0, 40)}" is no gateway that is known; use "litellm" or "bifrost"`,
    );
  }
  const url = read(env, 'DELEGATE_LOCAL_URL');
  const isKeySet = read(env, 'DELEGATE_LOCAL_KEY') !== null;
  if (url !== null && !isHttp(url))
    return refused('DELEGATE_LOCAL_URL', 'must be an address such as http://localhost:4000');
  const address = serverRoot(url ?? DEFAULT_URL);
  const name = nameOf(files, address) ?? LITELLM_NAME;
  const layers: ConfigLayer[] = [];
  if (name === LITELLM_NAME && (url !== null || !hasFile)) {
    const entry: Endpoint = { base_url: address, locality: 'unknown' };
    if (isLiteLlm(env, address)) entry.backend = 'litellm';
    layers.push(layer(url === null ? 'default' : '$DELEGATE_LOCAL_URL', name, entry));
  }
  const exists = layers.length > 0 || name !== LITELLM_NAME;
  if (isKeySet && exists)
    layers.push(layer('$DELEGATE_LOCAL_KEY', name, { api_key: '${env:DELEGATE_LOCAL_KEY}' }));
  return { layers, problems: [] };
}

/** Why a variable of an endpoint has no effect beside DELEGATE_GATEWAY; null: it has. */
export function otherGateway(env: Environment, name: string): string | null {
  const isBifrost = gatewayOf(env) === 'bifrost';
  if (isBifrost && /^DELEGATE_LOCAL_(URL|KEY)$/.test(name))
    return 'DELEGATE_GATEWAY is bifrost; see DELEGATE_BIFROST_URL';
  if (!isBifrost && name.startsWith('DELEGATE_BIFROST_'))
    return 'it counts only with DELEGATE_GATEWAY=bifrost';
  return null;
}

function gatewayOf(env: Environment): string {
  return read(env, 'DELEGATE_GATEWAY')?.toLowerCase() ?? 'litellm';
}

function bifrost(
  env: Environment,
  files: ModelsFile,
): { layers: ConfigLayer[]; problems: ConfigProblem[] } {
  const url = read(env, 'DELEGATE_BIFROST_URL');
  if (url === null)
    return refused('DELEGATE_BIFROST_URL', 'is not set, but DELEGATE_GATEWAY=bifrost needs it');
  if (!isHttp(url))
    return refused('DELEGATE_BIFROST_URL', 'must be an address such as http://localhost:8080');
  // Bifrost serves both formats, the way LiteLLM does, below /litellm.
  const address = `${serverRoot(url).replace(/\/(litellm|anthropic)$/, '')}/litellm`;
  const name = nameOf(files, address) ?? BIFROST_NAME;
  const layers = [
    layer('$DELEGATE_BIFROST_URL', name, {
      base_url: address,
      backend: 'bifrost',
      locality: 'unknown',
    }),
  ];
  const keys: Record<string, string> = {};
  if (read(env, 'DELEGATE_BIFROST_VK_LOCAL') !== null) {
    keys['local-*'] = keys['ornith*'] = '${env:DELEGATE_BIFROST_VK_LOCAL}';
  }
  if (read(env, 'DELEGATE_BIFROST_VK_CODE') !== null) keys['*'] = '${env:DELEGATE_BIFROST_VK_CODE}';
  if (Object.keys(keys).length > 0)
    layers.push(layer('$DELEGATE_BIFROST_VK_*', name, { api_key: keys }));
  return { layers, problems: [] };
}

function isLiteLlm(env: Environment, address: string): boolean {
  return read(env, 'DELEGATE_GATEWAY') !== null || URL.parse(address)?.port === '4000';
}

function nameOf(files: ModelsFile, address: string): string | null {
  const found = Object.entries(files.endpoints ?? {}).find(
    ([, entry]) => entry.base_url !== undefined && isSameServer(entry.base_url, address),
  );
  return found?.[0] ?? null;
}

function layer(source: string, name: string, entry: Endpoint): ConfigLayer {
  return { source, value: { endpoints: { [name]: entry } } };
}

function refused(
  variable: string,
  message: string,
): { layers: ConfigLayer[]; problems: ConfigProblem[] } {
  return { layers: [], problems: [wholeFileProblem(`$${variable}`, 'bad_variable', message)] };
}

function read(env: Environment, name: string): string | null {
  const text = env[name]?.trim() ?? '';
  return text === '' ? null : text;
}

function isHttp(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}
