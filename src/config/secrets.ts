import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from './atomicWrite.ts';
import { checkSecret } from './checkSecret.ts';

const secretsSchema = z.record(z.string(), z.string());

/** Something that knows secrets by name. */
export interface SecretSource {
  /** The value, or null when there is no secret of that name. */
  get(name: string): string | null;
}

/**
 * The file of secrets, `secrets.json` of mode 0600 in the config dir; the same for server, job host, CLI and router.
 * Read again on every call, so that all processes agree. Every method throws BridgeError `config_invalid` when the file
 * is a symbolic link, belongs to somebody else or cannot be read as secrets.
 */
export class SecretFile implements SecretSource {
  readonly file: string;
  readonly #uid: number | null;

  constructor(configDir: string, uid: number | null = process.getuid?.() ?? null) {
    this.file = path.join(configDir, 'secrets.json');
    this.#uid = uid;
  }

  names(): string[] {
    return [...this.#read().keys()].sort();
  }

  get(name: string): string | null {
    return this.#read().get(name) ?? null;
  }

  /** @throws BridgeError bad_argument for a name that a reference could not hold, or an empty value. */
  set(name: string, value: string): void {
    checkSecret(name, value);
    const secrets = this.#read();
    secrets.set(name, value);
    this.#write(secrets);
  }

  /** Whether there was one to delete. */
  delete(name: string): boolean {
    const secrets = this.#read();
    const existed = secrets.delete(name);
    if (existed) this.#write(secrets);
    return existed;
  }

  #write(secrets: ReadonlyMap<string, string>): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const sorted = [...secrets].sort(([a], [b]) => (a < b ? -1 : 1));
    atomicWrite(this.file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`, 0o600);
  }

  #read(): Map<string, string> {
    const text = this.#readText();
    if (text === null) return new Map();
    const parsed = secretsSchema.safeParse(parseJson(text));
    if (!parsed.success) this.#refuse('does not hold a JSON object of texts');
    return new Map(Object.entries(parsed.data ?? {}));
  }

  #readText(): string | null {
    let descriptor: number;
    try {
      // No link is followed, and a pipe put in its place does not make us wait.
      descriptor = openSync(
        this.file,
        constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
      );
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      return this.#refuse(
        code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code ?? 'unknown error'})`,
      );
    }
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) this.#refuse('is not a file');
      if (this.#uid !== null && stat.uid !== this.#uid) this.#refuse('belongs to another user');
      if (this.#uid !== null && (stat.mode & 0o077) !== 0) chmodSync(this.file, 0o600);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  }

  #refuse(reason: string): never {
    throw new BridgeError('config_invalid', `The secret file ${this.file} ${reason}.`, {
      hint: 'Move it away and enter the secrets again.',
    });
  }
}

const REFERENCE = /\$\{(env|secret):([A-Za-z0-9_.-]+)\}/g;

/**
 * Replaces `${env:NAME}` and `${secret:name}` by their values. `names` lists the references used, for messages.
 * @throws BridgeError secret_missing naming the reference that has no value; never with a value in it.
 */
export function resolveReferences(
  text: string,
  sources: { env: Readonly<Record<string, string | undefined>>; secrets: SecretSource },
): { value: string; names: string[] } {
  const names: string[] = [];
  const value = text.replace(REFERENCE, (reference, kind: string, name: string) => {
    names.push(`${kind}:${name}`);
    const found = kind === 'env' ? own(sources.env, name) : sources.secrets.get(name);
    if (found === undefined || found === null || found === '') {
      throw new BridgeError('secret_missing', `${reference} has no value.`, {
        hint:
          kind === 'env'
            ? `Set the environment variable ${name} for the program that starts Delegation Bridge.`
            : `Enter the secret "${name}" with "delegate secret set ${name}".`,
        details: { reference },
      });
    }
    return found;
  });
  return { value, names };
}

/** The references in a text, as `env:NAME` or `secret:name`. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map((match) => `${match[1]}:${match[2]}`);
}

/** The text without its references. */
export function stripReferences(text: string): string {
  return text.replace(REFERENCE, '');
}

/** Whether a text is nothing but references and what stands around them in a header, such as `Bearer ${env:KEY}`. */
export function isOnlyReferences(text: string): boolean {
  return /^(bearer|basic|token)?\s*$/i.test(stripReferences(text));
}

/** Shorter values are left alone: replacing "1" or "no" everywhere would make a log unreadable and hide nothing. */
const LEAST_REDACTED_LENGTH = 4;

/** A function that replaces each known value (also as JSON or URL text) by `[secret NAME]`. `values`: name to value. */
export function redactor(values: Readonly<Record<string, string>>): (text: string) => string {
  const replacements = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value.length < LEAST_REDACTED_LENGTH) continue;
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) {
      if (!replacements.has(form)) replacements.set(form, `[secret ${name}]`);
    }
  }
  if (replacements.size === 0) return (text) => text;
  const longestFirst = [...replacements.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  );
  return (text) => text.replace(pattern, (found) => replacements.get(found) ?? found);
}

function own(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser quotes the text, which holds secrets.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
