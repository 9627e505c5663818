import { isDeepStrictEqual } from 'node:util';
import { isMap, parseDocument } from 'yaml';
import { atomicWrite } from './atomicWrite.ts';
import { sidecarPath } from './sidecarPath.ts';
import { parseModelsText } from './parse.ts';
import { readEndpoints, readOwnFile } from './sidecarFile.ts';
import { lineEnd, pairOf, startOf } from './yamlLines.ts';

/**
 * Takes one endpoint out of the sidecar of a models.yaml; everything else in it keeps its bytes. models.yaml itself is never
 * touched, so an endpoint that it names is still there. Atomic.
 * @returns the path of the sidecar; null when it does not name the endpoint
 * @throws BridgeError config_invalid when the sidecar is broken or a link
 */
export function removeSidecarEndpoint(configFile: string, name: string): string | null {
  const file = sidecarPath(configFile);
  const before = readOwnFile(file);
  if (before === null) return null;
  const known = readEndpoints(before, file);
  if (!Object.hasOwn(known, name)) return null;
  const { [name]: _removed, ...left } = known;
  atomicWrite(file, withoutEndpoint(before, name, left), 0o600);
  return file;
}

/** Only the lines of the entry go. Proven by parsing what is left; else the document is written anew, comments kept. */
function withoutEndpoint(before: string, name: string, left: object): string {
  const document = parseDocument(before, { merge: true });
  const section = isMap(document.contents) ? pairOf(document.contents, 'endpoints') : null;
  const entries = isMap(section?.value) ? section.value : null;
  const pair = entries === null || entries.flow ? null : pairOf(entries, name);
  const start = startOf(pair ?? undefined);
  const end = lineEnd(before, pair ?? undefined);
  if (start !== null && end !== null && Object.keys(left).length > 0) {
    const text = before.slice(0, before.lastIndexOf('\n', start - 1) + 1) + before.slice(end);
    const expected = { ...parseModelsText(before, '').value, endpoints: left };
    if (isDeepStrictEqual(parseModelsText(text, '').value, expected)) return text;
  }
  document.deleteIn(['endpoints', name]);
  if (Object.keys(left).length === 0) document.deleteIn(['endpoints']);
  if (isMap(document.contents) && document.contents.items.length === 0) return headOf(before);
  return document.toString({ lineWidth: 0, minContentWidth: 0 });
}

/** The comments at the top of a file of which nothing else is left. */
function headOf(text: string): string {
  return /^(?:[ \t]*#.*\r?\n|[ \t]*\r?\n)*/.exec(text)?.[0] ?? '';
}
