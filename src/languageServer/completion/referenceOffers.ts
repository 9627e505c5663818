import type { ConfigPath } from '../../config/configPath.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type { Offer } from './offer.ts';

const OF_KEYS = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/i;

/** Whether references are resolved in the value of a path. */
export function takesReferences(path: ConfigPath): boolean {
  const [section, , key] = path;
  if (section === 'router') return path.length === 2 && path[1] === 'token';
  if (section !== 'endpoints') return false;
  if (path.length === 3) return key === 'api_key' || key === 'proxy';
  return path.length === 4 && (key === 'api_key' || key === 'headers' || key === 'env');
}

/** References to variables and kept secrets: their names, never a value. */
export function referenceOffers(
  path: ConfigPath,
  env: Readonly<Record<string, string | undefined>>,
  { secrets }: Pick<LiveFacts, 'secrets'>,
): Offer[] {
  const isProxy = path[2] === 'proxy';
  const likely = isProxy ? /PROXY/i : OF_KEYS;
  const variables = Object.keys(env).filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return [
    ...(secrets ?? []).map((name) => ({
      label: `\${secret:${name}}`,
      kind: 'secret' as const,
      detail: 'kept secret',
      rank: isProxy ? 300 : 100,
    })),
    ...variables.sort().map((name) => ({
      label: `\${env:${name}}`,
      kind: 'variable' as const,
      detail: 'variable of this window',
      rank: likely.test(name) ? 200 : 900,
    })),
  ];
}
