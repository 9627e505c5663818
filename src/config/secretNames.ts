import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from './atomicWrite.ts';

const namesSchema = z.array(z.string());

/** Which secrets are kept in the keychain: `secret-names.json` in the config dir. Names alone, no value. */
export class SecretNames {
  readonly file: string;

  constructor(configDir: string) {
    this.file = path.join(configDir, 'secret-names.json');
  }

  /** Sorted. @throws BridgeError config_invalid when the file holds something else */
  list(): string[] {
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      throw error;
    }
    const parsed = namesSchema.safeParse(parseJson(text));
    if (parsed.success) return [...new Set(parsed.data)].sort();
    throw new BridgeError('config_invalid', `${this.file} does not hold a list of names.`, {
      hint: 'Delete it and enter the secrets again; the keychain itself is not changed by that.',
    });
  }

  add(name: string): void {
    const names = this.list();
    if (!names.includes(name)) this.#write([...names, name].sort());
  }

  /** Whether it was there. */
  remove(name: string): boolean {
    const names = this.list();
    if (!names.includes(name)) return false;
    this.#write(names.filter((known) => known !== name));
    return true;
  }

  #write(names: readonly string[]): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    atomicWrite(this.file, `${JSON.stringify(names, null, 2)}\n`, 0o600);
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
