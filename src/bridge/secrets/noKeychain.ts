import { BridgeError } from '../../base/bridgeError.ts';
import type { Keychain } from './keychain.ts';

/** A system whose keychain this version cannot use: whoever asks for it is told, and the file is not read in its place. */
export class NoKeychain implements Keychain {
  readonly #platform: NodeJS.Platform;

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  get(): Promise<string | null> {
    return this.#refuse();
  }

  set(): Promise<void> {
    return this.#refuse();
  }

  delete(): Promise<void> {
    return this.#refuse();
  }

  async #refuse(): Promise<never> {
    const system = this.#platform === 'win32' ? 'Windows' : this.#platform;
    throw new BridgeError('not_supported', `The keychain of ${system} cannot be used yet.`, {
      hint: 'Set "secrets: file" in models.yaml; the file is readable for you alone.',
    });
  }
}
