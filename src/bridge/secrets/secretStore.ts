import type { SecretSource } from '../../config/secrets.ts';

/** Where the user keeps secrets. Every process asks anew, so that all agree. */
export interface SecretStore {
  readonly keptIn: 'file' | 'keychain';
  /** Sorted. Asks no program. */
  names(): string[];
  /**
   * The values of these names, as they are now; of a name that is not kept there is none. Rejects with BridgeError when the store itself
   * cannot be asked.
   */
  read(names: readonly string[]): Promise<SecretSource>;
  /** @throws BridgeError bad_argument for a name that a reference could not hold, or an empty value */
  set(name: string, value: string): Promise<void>;
  /** Whether there was one to delete. */
  delete(name: string): Promise<boolean>;
}
