/** The keychain of an operating system, reached through a program of its own. A value is never an argument of it. */
export interface Keychain {
  /** Null: nothing is kept under this name. */
  get(name: string): Promise<string | null>;
  /** Replaces what is there. */
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Under which all secrets are found in the keychain. */
export const KEYCHAIN_SERVICE = 'delegation-bridge';
