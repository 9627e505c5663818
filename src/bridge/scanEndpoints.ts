import { connect } from 'node:net';
import type { BridgeContext } from './bridgeContext.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { placeAfterProbe, placeOf } from './endpoints/locality.ts';
import { probeEndpoint } from './endpoints/probeEndpoint.ts';
import { smallestEntry } from './smallestEntry.ts';
import { namesFor, type TriedEndpoint } from './triedEndpoint.ts';

/** Where model servers listen when nobody tells them otherwise. */
const USUAL_PORTS: readonly number[] = [
  8080, // llama.cpp's llama-server, mlx_lm.server, LocalAI
  8081, // a second llama-server
  8000, // vLLM, NVIDIA NIM
  8001, // a second vLLM
  11434, // Ollama
  11435, // a second Ollama
  1234, // LM Studio
  4000, // LiteLLM
  5000, // TabbyAPI, text-generation-webui
  5001, // KoboldCpp
  30000, // SGLang
  1337, // Jan
  4891, // GPT4All
];

const HOSTS = ['127.0.0.1', '[::1]'];
/** On this machine a port that is open answers at once. */
const CONNECT_LIMIT_MS = 400;
const PROBE_LIMIT_MS = 3_000;

export interface ScanReport {
  /** Base URLs that were asked. */
  readonly asked: readonly string[];
  readonly found: readonly TriedEndpoint[];
}

interface FoundServer {
  readonly baseUrl: string;
  readonly probe: EndpointProbe;
}

/**
 * Asks the usual ports of this machine, all at once. Only loopback is asked, no key is sent, and what answers as something other than
 * a model server is not told.
 */
export async function scanEndpoints(
  context: BridgeContext,
  options: { repoRoot: string | null; ports?: readonly number[]; signal?: AbortSignal },
): Promise<ScanReport> {
  const ports = [...new Set(options.ports ?? USUAL_PORTS)];
  const perPort = await Promise.all(ports.map((port) => askPort(port, options.signal)));
  const loaded = context.loadConfig(options.repoRoot);
  const taken = new Set<string>();
  return {
    asked: ports.flatMap((port) => HOSTS.map((host) => `http://${host}:${port}`)),
    found: perPort.filter((server) => server !== null).map((server) => describe(server)),
  };

  function describe({ baseUrl, probe }: FoundServer): TriedEndpoint {
    const names = namesFor({ baseUrl, probe }, loaded, taken);
    taken.add(names.suggestedName);
    const place = placeOf({ baseUrl, backend: 'other', declared: 'auto', isProxied: false }, [
      URL.parse(baseUrl)?.hostname.replace(/[[\]]/g, '') ?? '',
    ]);
    return {
      baseUrl,
      ...names,
      locality: placeAfterProbe(place, probe).locality,
      placeWarning: place.warning,
      probe,
      formats: probe.formats,
      tools: null,
      entry: smallestEntry({ baseUrl, asked: 'other', probe, secret: null }),
    };
  }
}

/** A server that listens on both families is found once, under the address that people write. */
async function askPort(port: number, signal: AbortSignal | undefined): Promise<FoundServer | null> {
  for (const host of HOSTS) {
    if (!(await isListening(host, port))) continue;
    const baseUrl = `http://${host}:${port}`;
    const probe = await ask(baseUrl, signal);
    if (isModelServer(probe)) return { baseUrl, probe };
  }
  return null;
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/[[\]]/g, ''), port });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function ask(baseUrl: string, signal: AbortSignal | undefined): Promise<EndpointProbe> {
  const dispatcher = guardedDispatcher({ policy: 'local-only' });
  try {
    return await probeEndpoint(
      { name: 'scan', baseUrl, backend: 'other', format: 'auto', headers: {}, dispatcher },
      { timeoutMs: PROBE_LIMIT_MS, ...(signal === undefined ? {} : { signal }) },
    );
  } finally {
    await dispatcher.close();
  }
}

/** One that still loads its model, or wants a key, is one as well. */
function isModelServer({ state, why }: EndpointProbe): boolean {
  return state === 'up' || why === 'loading' || why === 'wants_key';
}
