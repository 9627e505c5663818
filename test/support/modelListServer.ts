import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelListServer {
  readonly url: string;
  /** Method and path of what was asked. */
  readonly requests: readonly string[];
  /** Headers of what was asked, in order. */
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  close(): Promise<void>;
}

/** A real HTTP server that answers paths with bodies as they were recorded; any other path is 404. */
export async function modelListServer(
  bodies: Readonly<Record<string, unknown>>,
): Promise<ModelListServer> {
  const requests: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(`${request.method} ${url}`);
    headers.push(request.headers);
    const isKnown = Object.hasOwn(bodies, url);
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    const body = isKnown ? bodies[url] : { error: 'not found' };
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Ollama's `/api/tags`, as its documentation shows it, with a model of its cloud. */
export const OLLAMA_TAGS = {
  models: [
    {
      name: 'llama3.2:latest',
      model: 'llama3.2:latest',
      modified_at: '2026-05-04T17:37:44.706015396-07:00',
      size: 2019393189,
      digest: 'a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72',
      details: { parent_model: '', format: 'gguf', family: 'llama', families: ['llama'] },
    },
    {
      name: 'gpt-oss:120b-cloud',
      model: 'gpt-oss:120b-cloud',
      remote_model: 'gpt-oss:120b',
      remote_host: 'https://ollama.com:443',
      size: 384,
    },
  ],
} as const;

/** LM Studio's `/api/v0/models`, as its documentation shows it. */
export const LM_STUDIO_MODELS = {
  object: 'list',
  data: [
    {
      id: 'qwen2-vl-7b-instruct',
      object: 'model',
      type: 'vlm',
      publisher: 'mlx-community',
      arch: 'qwen2_vl',
      state: 'not-loaded',
      max_context_length: 32768,
    },
    {
      id: 'meta-llama-3.1-8b',
      object: 'model',
      type: 'llm',
      state: 'loaded',
      max_context_length: 131072,
      loaded_context_length: 8192,
    },
    { id: 'text-embedding-nomic', object: 'model', type: 'embeddings', state: 'not-loaded' },
  ],
} as const;
