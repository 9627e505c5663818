import { BridgeError } from '../base/bridgeError.ts';
import { redactor } from '../config/secrets.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { SecretStore } from './secrets/secretStore.ts';

const SECRET_NAMES = /(?:key|token|secret|password|passwd|credentials?)(?:_|$)/i;
/** Shorter values are words that stand everywhere. */
const MIN_SECRET_LENGTH = 8;
/** Credentials in an address, and what vendors' keys look like. */
const LOGIN = /(\w+:\/\/)[^\s/@]+@/g;
const KEYS =
  /\b(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[abp]|hf|AIza|AKIA)[-_]?[A-Za-z0-9_-]{16,}/g;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi;

/** A text about this machine that may be given away: no secret that is known here, nothing that looks like one, no name of the user. */
export async function redactReport(
  text: string,
  context: Pick<BridgeContext, 'env' | 'secrets' | 'homeDir'>,
): Promise<string> {
  const known: Record<string, string> = {};
  const kept = await keptValues(context.secrets);
  for (const [name, value] of kept) known[name] = value;
  for (const [name, value = ''] of Object.entries(context.env)) {
    if (SECRET_NAMES.test(name) && value.length >= MIN_SECRET_LENGTH) known[name] = value;
  }
  return redactor(known)(text)
    .replace(LOGIN, '$1[redacted]@')
    .replace(BEARER, '$1 [redacted]')
    .replace(KEYS, '[redacted]')
    .replaceAll(context.homeDir, '~');
}

/** A keychain that is locked gives none: then they are not known here, and what looks like a key goes all the same. */
async function keptValues(secrets: SecretStore): Promise<readonly (readonly [string, string])[]> {
  try {
    const names = secrets.names();
    const values = await secrets.read(names);
    return names.map((name) => [name, values.get(name) ?? ''] as const);
  } catch (error) {
    if (!BridgeError.is(error, 'config_invalid', 'not_supported')) throw error;
    return [];
  }
}
