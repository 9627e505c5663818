import { bubblewrap } from './bubblewrap.ts';
import { findProgram } from './findProgram.ts';
import { jailProbe } from './jailProbe.ts';
import type { NetworkJail } from './networkJail.ts';
import { seatbelt } from './seatbelt.ts';
import { secretPlaces } from './secretPlaces.ts';

/**
 * The jail of this platform, tried once; or why there is none, as a sentence for a person.
 * @param env the environment of the user, for PATH and for where their secrets and the bridge's folders lie
 */
export async function findNetworkJail(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<{ readonly jail: NetworkJail } | { readonly reason: string }> {
  if (platform !== 'linux' && platform !== 'darwin') {
    return { reason: 'There is no network jail for this platform.' };
  }
  const name = platform === 'linux' ? 'bwrap' : '/usr/bin/sandbox-exec';
  const program = await findProgram(name, env, '/');
  if (program === null) {
    return {
      reason:
        platform === 'linux'
          ? 'bubblewrap (bwrap) is not installed; most distributions have it as the package "bubblewrap".'
          : `${name} is not there.`,
    };
  }
  const secrets = secretPlaces(env, platform);
  const jail = platform === 'linux' ? bubblewrap(program, secrets) : seatbelt(program, secrets);
  const failure = await jailProbe(jail, platform);
  return failure === null
    ? { jail }
    : { reason: `${program} cannot make a jail on this machine: ${failure}.` };
}
