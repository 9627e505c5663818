import { isDeepStrictEqual } from 'node:util';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { type ConfigPath, formatPath } from '../configPath.ts';
import { isGroup } from '../parts.ts';
import type { ModelsFile } from '../schema.ts';
import { importName } from './importName.ts';
import { importNote, quoted } from './importNote.ts';
import { serverId } from './serverId.ts';

type Group = Readonly<Record<string, unknown>>;
type Endpoints = NonNullable<ModelsFile['endpoints']>;
type Endpoint = Endpoints[string];
type JsonValue = Extract<ConfigEdit, { kind: 'set' }>['value'];

/** Values that are one whole: half of one and half of another would send the wrong key. */
const WHOLE = new Set(['api_key']);

/**
 * What has to be added to a models.yaml so that it says what was imported, too. What is there wins: an endpoint with the same address is
 * not added again, a value that says something else stays and is named in a note. Made again with the result, there is nothing to do.
 * @param present what the file itself says, broken parts included: those are not written over either
 * @param beside what the file beside it says (its sidecar, or the file of a sidecar)
 */
export function mergeImport(
  present: Group,
  imported: ModelsFile,
  beside: Group = {},
): { edits: ConfigEdit[]; notes: string[] } {
  const edits: ConfigEdit[] = [];
  const notes: string[] = [];
  const { endpoints, ...sections } = imported;
  addEndpoints(present, endpoints ?? {}, beside, edits, notes);
  fill(present, sections, [], edits, notes);
  return { edits, notes };
}

function addEndpoints(
  present: Group,
  imported: Endpoints,
  beside: Group,
  edits: ConfigEdit[],
  notes: string[],
): void {
  const own = groupAt(present, 'endpoints');
  const others = groupAt(beside, 'endpoints');
  const added: Record<string, JsonValue> = {};
  for (const [wish, entry] of onceEach(imported, notes)) {
    const known = nameOf(own, wish, entry);
    const elsewhere = nameOf(others, wish, entry);
    if (known !== null) {
      notes.push(
        importNote(`The address of ${quoted(wish)} is there already as ${quoted(known)}.`),
      );
      // Where a server is, the person has left to the bridge, or has said.
      const { base_url: _, locality: _place, ...rest } = entry;
      fill(groupAt(own, known), rest, ['endpoints', known], edits, notes);
    } else if (elsewhere !== null)
      notes.push(
        importNote(
          `The address of ${quoted(wish)} is there already as ${quoted(elsewhere)}, in the file beside this one; it was not added.`,
        ),
      );
    else {
      const taken = [...Object.keys(own), ...Object.keys(others), ...Object.keys(added)];
      const name = importName(wish, taken);
      if (name !== wish)
        notes.push(
          importNote(`${quoted(wish)} is added as ${quoted(name)}: another address has that name.`),
        );
      added[name] = entry as JsonValue;
    }
  }
  if (Object.keys(added).length === 0) return;
  if (!Object.hasOwn(present, 'endpoints') || present['endpoints'] === null)
    edits.push({ kind: 'set', path: ['endpoints'], value: added });
  else
    for (const [name, value] of Object.entries(added))
      edits.push({ kind: 'set', path: ['endpoints', name], value });
}

/** What has one address and one key is one endpoint; the fields of the later ones fill the first one up. */
function onceEach(imported: Endpoints, notes: string[]): [string, Endpoint][] {
  const once = new Map<string, [string, Endpoint]>();
  for (const [name, entry] of Object.entries(imported)) {
    const id = JSON.stringify([serverId(entry.base_url ?? ''), entry.api_key ?? '']);
    const twin = once.get(id);
    if (twin !== undefined)
      notes.push(
        importNote(`${quoted(name)} has the address of ${quoted(twin[0])}; they are one.`),
      );
    once.set(id, twin === undefined ? [name, entry] : [twin[0], { ...entry, ...twin[1] }]);
  }
  return [...once.values()];
}

/** The endpoint that is this server already: best the one with its key, then the one with its name. */
function nameOf(endpoints: Group, wish: string, wanted: Endpoint): string | null {
  const id = serverId(wanted.base_url ?? '');
  const same = Object.entries(endpoints).filter(
    (each): each is [string, Group] =>
      isGroup(each[1]) &&
      typeof each[1]['base_url'] === 'string' &&
      serverId(each[1]['base_url']) === id,
  );
  const best =
    same.find(([, entry]) => isDeepStrictEqual(entry['api_key'] ?? '', wanted.api_key ?? '')) ??
    same.find(([name]) => name === wish) ??
    same[0];
  return best?.[0] ?? null;
}

function groupAt(group: Group, key: string): Group {
  const value = Object.hasOwn(group, key) ? group[key] : undefined;
  return isGroup(value) ? value : {};
}

/** Adds the keys that are missing; a group that is missing is added whole. */
function fill(
  present: Group,
  wanted: Group,
  at: ConfigPath,
  edits: ConfigEdit[],
  notes: string[],
): void {
  for (const [key, value] of Object.entries(wanted)) {
    const path = [...at, key];
    const held = Object.hasOwn(present, key) ? present[key] : undefined;
    if (held === undefined || held === null)
      edits.push({ kind: 'set', path, value: value as JsonValue });
    else if (isGroup(held) && isGroup(value) && !WHOLE.has(key))
      fill(held, value, path, edits, notes);
    else if (!isDeepStrictEqual(held, value))
      notes.push(importNote(`${formatPath(path)} stays as it is; the import says something else.`));
  }
}
