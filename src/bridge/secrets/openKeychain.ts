import type { Keychain } from './keychain.ts';
import { Libsecret } from './libsecret.ts';
import { MacKeychain } from './macKeychain.ts';
import { NoKeychain } from './noKeychain.ts';

/** The keychain of this system. Nothing is asked yet. */
export function openKeychain(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Keychain {
  switch (platform) {
    case 'darwin':
      return new MacKeychain(env);
    case 'linux':
    case 'freebsd':
    case 'openbsd':
      return new Libsecret(env);
    default:
      return new NoKeychain(platform);
  }
}
