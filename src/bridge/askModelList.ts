import { BridgeError } from '../base/bridgeError.ts';
import { isGroup } from '../config/parts.ts';
import { serverRoot } from '../config/serverRoot.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { exchange, type Reply } from './endpoints/exchange.ts';
import { isMetadataAddress } from './endpoints/metadataAddress.ts';

type Server = 'ollama' | 'lmstudio' | 'litellm';

const NAMES: Readonly<Record<Server, string>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  litellm: 'LiteLLM',
};
const LIMIT_MS = 5_000;

/**
 * The list of models as a server has it itself; no key is sent. Of LiteLLM only that it lives: its list wants a key.
 * @throws BridgeError `restricted` in an untrusted window, `backend_unreachable`, `backend_error` when something else answers there
 */
export async function askModelList(
  context: BridgeContext,
  server: Server,
  baseUrl: string,
  signal?: AbortSignal,
): Promise<{ list: unknown; isOwn: boolean }> {
  context.assertUnrestricted();
  const name = NAMES[server];
  const dispatcher = guardedDispatcher({ policy: 'any', isDenied: isMetadataAddress });
  const limit = AbortSignal.timeout(LIMIT_MS);
  const ask = (path: string): Promise<Reply> =>
    exchange(
      {
        name: server,
        baseUrl: serverRoot(baseUrl),
        backend: 'other',
        format: 'auto',
        headers: {},
        dispatcher,
      },
      { path, signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) },
    );
  const wrong = (): BridgeError =>
    new BridgeError('backend_error', `What answers at ${baseUrl} is not ${name}.`, {
      hint: `Say where ${name} listens.`,
    });
  try {
    if (server === 'litellm') {
      const { status, text } = await ask('/health/liveliness');
      if (status !== 200 || !/I'm alive/i.test(text)) throw wrong();
      return { list: null, isOwn: true };
    }
    if (server === 'ollama') {
      const { status, json } = await ask('/api/tags');
      if (status !== 200 || !hasList(json, 'models')) throw wrong();
      return { list: json, isOwn: true };
    }
    const own = await ask('/api/v0/models');
    if (own.status === 200 && hasList(own.json, 'data')) return { list: own.json, isOwn: true };
    const plain = await ask('/v1/models');
    if (plain.status !== 200 || !hasList(plain.json, 'data')) throw wrong();
    return { list: plain.json, isOwn: false };
  } catch (error) {
    if (BridgeError.is(error)) throw error;
    signal?.throwIfAborted();
    throw new BridgeError('backend_unreachable', `${name} does not answer at ${baseUrl}.`, {
      hint: `Start ${name}, or say where it listens.`,
      cause: error,
    });
  } finally {
    await dispatcher.close();
  }
}

function hasList(json: unknown, key: string): boolean {
  return isGroup(json) && Array.isArray(json[key]);
}
