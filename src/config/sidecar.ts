import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, parseDocument, stringify, visit } from 'yaml';
import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from './atomicWrite.ts';
import { sidecarPath } from './sidecarPath.ts';
import { describeIssue } from './describeIssue.ts';
import { parseModelsText } from './parse.ts';
import { type ModelsFile, modelsFileSchema } from './schema.ts';
import { isSameServer } from './serverRoot.ts';
import { readEndpoints, readOwnFile, type SidecarEntry } from './sidecarFile.ts';
import { lineEnd, pairOf, startOf } from './yamlLines.ts';

const HEADER = '# Written by Delegation Bridge; merged field by field over the file beside it.\n';
/** No folding: a long key or address stays on its line. */
const FORMAT = { lineWidth: 0, minContentWidth: 0 } as const;

/**
 * Writes fields of one endpoint to the sidecar of a models.yaml. Everything else in the sidecar keeps its bytes, comments
 * included; models.yaml itself is never touched. Atomic.
 * @returns the path of the sidecar.
 * @throws BridgeError bad_argument for a name or field that the schema does not take, or when an endpoint that has a key
 *   would be pointed elsewhere without saying what key goes there; config_invalid when the sidecar is broken or a link.
 */
export function writeSidecarEndpoint(
  configFile: string,
  name: string,
  entry: SidecarEntry,
): string {
  const file = sidecarPath(configFile);
  checkEntry(name, entry);
  const before = readOwnFile(file);
  const current = readEndpoints(before ?? '', file);
  refuseForeignKey(configFile, current, name, entry);
  const next = { ...(Object.hasOwn(current, name) ? current[name] : {}), ...entry };
  const text = withEndpoint(before, name, entry, { ...current, [name]: next });
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  atomicWrite(file, text, 0o600);
  return file;
}

function checkEntry(name: string, entry: SidecarEntry): void {
  if (Object.keys(entry).length === 0) {
    throw new BridgeError('bad_argument', `There is nothing to write for the endpoint "${name}".`);
  }
  const value = { endpoints: { [name]: entry } };
  const checked = modelsFileSchema.safeParse(value);
  if (checked.success && name !== '__proto__') return;
  const findings = checked.error?.issues.flatMap((issue) => describeIssue(issue, value)) ?? [];
  throw new BridgeError(
    'bad_argument',
    findings.map((finding) => finding.message).join('; ') || 'This name is reserved.',
  );
}

/** Whoever may register an endpoint (an agent may) must not be able to send the user's key to an address of its choice. */
function refuseForeignKey(
  configFile: string,
  sidecar: Readonly<Record<string, SidecarEntry>>,
  name: string,
  entry: SidecarEntry,
): void {
  if (entry.base_url === undefined || entry.api_key !== undefined) return;
  const main = readOwnOrNothing(configFile)[name] ?? {};
  const known = { ...main, ...(Object.hasOwn(sidecar, name) ? sidecar[name] : {}) };
  const hasCredentials =
    Boolean(known.api_key) ||
    Object.keys(known.headers ?? {}).length > 0 ||
    Object.keys(known.env ?? {}).length > 0;
  if (!hasCredentials) return;
  if (known.base_url !== undefined && isSameServer(known.base_url, entry.base_url)) return;
  throw new BridgeError(
    'bad_argument',
    `The endpoint "${name}" has a key or headers for another address.`,
    {
      hint: 'Use another name, or say which api_key goes to the new address (an empty one for none).',
    },
  );
}

function readOwnOrNothing(configFile: string): Record<string, SidecarEntry> {
  try {
    const { parts, broken } = parseModelsText(readFileSync(configFile, 'utf8'), configFile);
    if (broken.some((part) => part.length === 0 || part[0] === 'endpoints')) {
      throw new BridgeError(
        'config_invalid',
        `${configFile} is broken, so its endpoints are not known.`,
        {
          hint: 'Mend it first; "delegate doctor" says where.',
        },
      );
    }
    return parts.endpoints ?? {};
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw error;
  }
}

/** The new text: only the lines of the entry change. Proven by parsing it; else the document is written anew, comments kept. */
function withEndpoint(
  before: string | null,
  name: string,
  entry: SidecarEntry,
  wanted: Record<string, SidecarEntry>,
): string {
  if (before === null || before.trim() === '')
    return HEADER + stringify({ endpoints: { [name]: entry } }, FORMAT);
  const document = parseDocument(before, { merge: true });
  const spliced = splice(before, document, name, entry);
  if (
    spliced !== null &&
    isDeepStrictEqual(parseModelsText(spliced, '').value, expected(before, wanted))
  )
    return spliced;
  if (isMap(document.contents) && !isMap(document.get('endpoints')))
    document.set('endpoints', document.createNode({}));
  if (document.contents === null)
    document.contents = document.createNode({
      endpoints: {},
    }) as unknown as typeof document.contents;
  for (const [key, value] of Object.entries(entry))
    setField(document, ['endpoints', name, key], value);
  return document.toString(FORMAT);
}

function expected(before: string, endpoints: Record<string, SidecarEntry>): ModelsFile {
  return { ...parseModelsText(before, '').value, endpoints };
}

function splice(
  text: string,
  document: Document.Parsed,
  name: string,
  entry: SidecarEntry,
): string | null {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const insert = (at: number, block: string): string => {
    const head = text.slice(0, at);
    const gap = head === '' || head.endsWith('\n') ? '' : eol;
    return head + gap + block.replaceAll('\n', eol) + text.slice(at);
  };
  if (!isMap(document.contents) || document.contents.flow) return null;
  const section = pairOf(document.contents, 'endpoints');
  if (section === null)
    return insert(text.length, stringify({ endpoints: { [name]: entry } }, FORMAT));
  if (!isMap(section.value) || section.value.flow || section.value.items.length === 0) return null;
  const known = pairOf(section.value, name);
  const first = startOf(section.value.items[0]);
  if (first === null) return null;
  const indent = first - (text.lastIndexOf('\n', first - 1) + 1);
  if (known === null) {
    const end = lineEnd(text, section.value.items.at(-1));
    return end === null
      ? null
      : insert(end, indented(stringify({ [name]: entry }, FORMAT), indent));
  }
  const start = startOf(known);
  const end = lineEnd(text, known);
  if (start === null || end === null) return null;
  // The lines of the entry as a document of their own, so that comments between its fields stay.
  const own = parseDocument(`${' '.repeat(indent)}${text.slice(start, end)}`);
  if (own.errors.length > 0 || usesAlias(own)) return null;
  for (const [key, value] of Object.entries(entry)) setField(own, [name, key], value);
  const block = indented(own.toString(FORMAT), indent);
  return text.slice(0, start - indent) + block.replaceAll('\n', eol) + text.slice(end);
}

/** A plain value is set in place, which keeps the comment on its line. */
function setField(document: Document, path: string[], value: unknown): void {
  document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
}

function usesAlias(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function indented(block: string, width: number): string {
  return block.replace(/^(?=.)/gm, ' '.repeat(width));
}
