import { isIP } from 'node:net';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';

/** Parts of a host's name that say nothing about whose it is. */
const EMPTY_LABELS = new Set(['api', 'www', 'inference', 'gateway', 'llm', 'models', 'v1']);
const MAX_LENGTH = 48;

/** A name for a server that is not taken: its kind on this machine or at a bare address, else whose it is by its host's name. */
export function freeEndpointName(
  server: { readonly baseUrl: string; readonly probe: Pick<EndpointProbe, 'backend'> },
  taken: ReadonlySet<string>,
): string {
  const url = URL.parse(server.baseUrl);
  const host = (url?.hostname ?? '').replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || isIP(host) !== 0;
  const { backend } = server.probe;
  const kind = backend === 'other' ? 'local' : backend;
  const plain = wordOf(isHere ? kind : ownLabel(host)) || 'endpoint';
  const port = url?.port ?? '';
  const withPort = port === '' ? [] : [`${plain}-${port}`];
  const free = [plain, ...withPort].find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const stem = withPort[0] ?? plain;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
  }
}

/** `openrouter` of openrouter.ai, `example` of api.example.co.uk, `tower` of tower.lan. */
function ownLabel(host: string): string {
  const labels = host.split('.');
  return labels.find((label) => !EMPTY_LABELS.has(label)) ?? labels[0] ?? '';
}

function wordOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
}
