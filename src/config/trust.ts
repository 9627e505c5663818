import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from './atomicWrite.ts';
import { isGroup } from './parts.ts';
import { realPathOfDeepest } from './paths.ts';
import type { ModelsFile } from './schema.ts';

/**
 * Keys with which a file can run a program, send a key elsewhere or widen a permission. The words of the specification,
 * and the ones that do the same in runners and router.
 */
const PRIVILEGED_KEYS: readonly string[] = [
  'base_url',
  'api_key',
  'headers',
  'proxy',
  'tls',
  'env',
  'bin',
  'launcher',
  'gates',
  'permission_mode',
  'allowed_tools',
  'disallowed_tools',
  'setting_sources',
  'policy',
  'locality',
  'pinned',
  // A stand-in in a cloud counts as named, and a name that is said to be the model's own hides that another answered.
  'chains',
  'answers_as',
  'system_prompt_append',
  'allow_danger',
  'agents_dir',
  'models_file',
  'env_passthrough',
  'provider_allowed_hosts',
  'router',
];
const PRIVILEGED_PATHS: readonly string[] = [
  'worktrees.setup',
  'worktrees.base_dir',
  'worktrees.include',
  'review.required_for',
];

/** SHA-256, in hex, of the privileged keys with their paths; independent of order, layout and all other keys. */
export function privilegedHash(value: ModelsFile): string {
  const found: [string, unknown][] = [];
  collect(value, [], found);
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(found)).digest('hex');
}

/** The privileged keys that a file sets, as paths such as `gates` or `endpoints.gpu.base_url`, in order. */
export function privilegedKeys(value: ModelsFile): string[] {
  const found: [string, unknown][] = [];
  collect(value, [], found);
  return found.map(([at]) => (JSON.parse(at) as string[]).join('.')).sort();
}

function collect(value: unknown, at: readonly string[], found: [string, unknown][]): void {
  if (!isGroup(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const here = [...at, key];
    if (isPrivilegedKey(here)) found.push([JSON.stringify(here), canonical(item)]);
    else collect(item, here, found);
  }
}

function isPrivilegedKey(path: readonly string[]): boolean {
  // The names of endpoints, models and roles are free: an endpoint that is called "env" is not the key.
  const isFreeName =
    path.length === 2 && ['endpoints', 'pools', 'models', 'fleet'].includes(path[0] ?? '');
  return (
    !isFreeName &&
    (PRIVILEGED_KEYS.includes(path.at(-1) ?? '') || PRIVILEGED_PATHS.includes(path.join('.')))
  );
}

/** Whether a change of this key, or of what it stands in, asks for trust again. */
export function isPrivilegedPath(path: readonly string[]): boolean {
  return path.some((_, index) => isPrivilegedKey(path.slice(0, index + 1)));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isGroup(value)) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, item]) => [key, canonical(item)]));
}

const trustFileSchema = z.record(
  z.string(),
  z.object({ hash: z.string(), trusted_at: z.string() }),
);

export interface TrustedFile {
  readonly file: string;
  readonly hash: string;
  /** RFC 3339, UTC. */
  readonly trustedAt: string;
}

/**
 * What `delegate trust` remembers: real path and hash of the privileged keys, in `trust.json` of the state dir. Read again
 * on every call. A file that cannot be read as such trusts nothing.
 */
export class TrustFile {
  readonly file: string;
  readonly #now: () => Date;

  constructor(stateDir: string, now: () => Date = () => new Date()) {
    this.file = path.join(stateDir, 'trust.json');
    this.#now = now;
  }

  isTrusted(file: string, hash: string): boolean {
    return this.#read().get(realPathOfDeepest(file))?.hash === hash;
  }

  trust(file: string, hash: string): void {
    const known = this.#read();
    known.set(realPathOfDeepest(file), { hash, trusted_at: this.#now().toISOString() });
    this.#write(known);
  }

  /** Whether it was trusted before. */
  revoke(file: string): boolean {
    const known = this.#read();
    const existed = known.delete(realPathOfDeepest(file));
    if (existed) this.#write(known);
    return existed;
  }

  list(): TrustedFile[] {
    return [...this.#read()].map(([file, { hash, trusted_at }]) => ({
      file,
      hash,
      trustedAt: trusted_at,
    }));
  }

  #read(): Map<string, { hash: string; trusted_at: string }> {
    let text: string;
    try {
      const stat = lstatSync(this.file);
      const uid = process.getuid?.();
      if (!stat.isFile() || (uid !== undefined && stat.uid !== uid)) {
        throw new BridgeError('state_dir_invalid', `${this.file} is not a file of yours.`, {
          hint: 'Move it away; trust has to be given again.',
        });
      }
      // Somebody else could have written to it: what it says is not worth anything then.
      if (uid !== undefined && (stat.mode & 0o022) !== 0) return new Map();
      if (uid !== undefined && (stat.mode & 0o077) !== 0) chmodSync(this.file, 0o600);
      text = readFileSync(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
      throw error;
    }
    const parsed = trustFileSchema.safeParse(parseJson(text));
    return new Map(Object.entries(parsed.data ?? {}));
  }

  #write(known: ReadonlyMap<string, { hash: string; trusted_at: string }>): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    atomicWrite(this.file, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`, 0o600);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
