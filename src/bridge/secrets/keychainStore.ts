import type { SecretSource } from '../../config/secrets.ts';
import { checkSecret } from '../../config/checkSecret.ts';
import type { SecretNames } from '../../config/secretNames.ts';
import type { Keychain } from './keychain.ts';
import type { SecretStore } from './secretStore.ts';

/**
 * Secrets in the system's keychain. Which names there are is in a file of the config dir, since a keychain can be asked for its names
 * only together with the values. A name that is missing there is asked for all the same: a person may have put it there by hand.
 */
export class KeychainStore implements SecretStore {
  readonly keptIn = 'keychain';
  readonly #keychain: Keychain;
  readonly #names: SecretNames;

  constructor(keychain: Keychain, names: SecretNames) {
    this.#keychain = keychain;
    this.#names = names;
  }

  names(): string[] {
    return this.#names.list();
  }

  async read(names: readonly string[]): Promise<SecretSource> {
    const wanted = [...new Set(names)];
    const values = new Map(
      await Promise.all(
        wanted.map(async (name) => [name, await this.#keychain.get(name)] as const),
      ),
    );
    return { get: (name) => values.get(name) ?? null };
  }

  async set(name: string, value: string): Promise<void> {
    checkSecret(name, value);
    // First the name: one without a value is seen and can be deleted, a value without a name cannot.
    const isNew = !this.#names.list().includes(name);
    this.#names.add(name);
    try {
      await this.#keychain.set(name, value);
    } catch (error) {
      if (isNew) this.#names.remove(name);
      throw error;
    }
  }

  async delete(name: string): Promise<boolean> {
    const existed = (await this.#keychain.get(name)) !== null;
    await this.#keychain.delete(name);
    return this.#names.remove(name) || existed;
  }
}
