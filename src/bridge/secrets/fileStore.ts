import type { SecretFile, SecretSource } from '../../config/secrets.ts';
import type { SecretStore } from './secretStore.ts';

/** Secrets in the file of mode 0600. */
export class FileStore implements SecretStore {
  readonly keptIn = 'file';
  readonly #file: SecretFile;

  constructor(file: SecretFile) {
    this.#file = file;
  }

  names(): string[] {
    return this.#file.names();
  }

  /** Without a name nothing is opened: a file that cannot be read is in the way of those who need it only. */
  async read(names: readonly string[]): Promise<SecretSource> {
    const values = new Map(names.map((name) => [name, this.#file.get(name)]));
    return { get: (name) => values.get(name) ?? null };
  }

  async set(name: string, value: string): Promise<void> {
    this.#file.set(name, value);
  }

  async delete(name: string): Promise<boolean> {
    return this.#file.delete(name);
  }
}
