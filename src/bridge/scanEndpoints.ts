import { connect } from 'node:net';
import { isSameServer } from '../config/serverRoot.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { probeEndpoint } from './endpoints/probeEndpoint.ts';

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
  readonly found: readonly {
    readonly baseUrl: string;
    readonly suggestedName: string;
    /** Name in the configuration, when one has this address already. */
    readonly registeredAs: string | null;
    readonly probe: EndpointProbe;
  }[];
}

interface FoundServer {
  readonly baseUrl: string;
  readonly port: number;
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
  const { endpoints } = context.loadConfig(options.repoRoot).config;
  const names = new Set(Object.keys(endpoints));
  return {
    asked: ports.flatMap((port) => HOSTS.map((host) => `http://${host}:${port}`)),
    found: perPort
      .filter((server) => server !== null)
      .map(({ baseUrl, port, probe }) => {
        const registered = Object.entries(endpoints).find(([, entry]) =>
          isSameServer(onLoopback(entry.base_url), onLoopback(baseUrl)),
        );
        const suggestedName = registered?.[0] ?? freeName(probe.backend, port, names);
        names.add(suggestedName);
        return { baseUrl, suggestedName, registeredAs: registered?.[0] ?? null, probe };
      }),
  };
}

/** A server that listens on both families is found once, under the address that people write. */
async function askPort(port: number, signal: AbortSignal | undefined): Promise<FoundServer | null> {
  for (const host of HOSTS) {
    if (!(await isListening(host, port))) continue;
    const baseUrl = `http://${host}:${port}`;
    const probe = await ask(baseUrl, signal);
    if (isModelServer(probe)) return { baseUrl, port, probe };
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

/** The same server has several names on its own machine. */
function onLoopback(address: string): string {
  return address.replace(
    /^(https?:\/\/)(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/i,
    '$1127.0.0.1',
  );
}

function freeName(backend: string, port: number, taken: ReadonlySet<string>): string {
  const plain = backend === 'other' ? 'local' : backend.replace(/[^A-Za-z0-9]/g, '-');
  const candidates = [plain, `${plain}-${port}`];
  const free = candidates.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) {
    const name = `${plain}-${port}-${number}`;
    if (!taken.has(name)) return name;
  }
}
