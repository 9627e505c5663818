import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import type { ConfigEdit } from '../protocol/modelsLanguage/configEdit.ts';
import { atomicWrite } from './atomicWrite.ts';
import { sidecarPath } from './sidecarPath.ts';
import { describeIssue } from './describeIssue.ts';
import { parseModelsText } from './parse.ts';
import { editModelsText } from './edit/editModelsText.ts';
import { modelsFileSchema } from './schema.ts';
import { isSameServer } from './serverRoot.ts';
import { readEndpoints, readOwnFile, type SidecarEntry } from './sidecarFile.ts';

const HEADER = '# Written by Delegation Bridge; merged field by field over the file beside it.\n';

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
  const text = withEndpoint(before ?? '', file, name, entry);
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

/** The new text: only the lines of the fields change. */
function withEndpoint(before: string, file: string, name: string, entry: SidecarEntry): string {
  // The schema has checked that these are plain data.
  const fields = Object.entries(entry) as [string, Extract<ConfigEdit, { kind: 'set' }>['value']][];
  const edits = fields.map(([key, value]): ConfigEdit => ({
    kind: 'set',
    path: ['endpoints', name, key],
    value,
  }));
  const edited = editModelsText(before, edits);
  if (edited.isOk) return before.trim() === '' ? HEADER + edited.text : edited.text;
  throw new BridgeError('config_invalid', `${file} cannot be written to. ${edited.message}`);
}
