import { BridgeError } from '../base/bridgeError.ts';
import { referencesIn } from '../config/secrets.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { JobRequest } from '../protocol/job.ts';
import type { Caller } from './bridgeTypes.ts';

type Provider = NonNullable<JobRequest['provider']>;

/**
 * A model that calls names references without knowing their values, and what it read may have told it to send them somewhere. So a
 * reference in its call goes only to hosts that the user's configuration lists, or to a server that the configuration itself gives it
 * to. A person may send a key anywhere.
 * @throws BridgeError policy_refused
 */
export function assertKeysMayGo(provider: Provider, config: EffectiveConfig, caller: Caller): void {
  const named = referencesOf(provider.apiKey ?? '', provider.headers ?? {});
  if (named.length === 0 || caller.kind === 'person') return;
  const { hostname, origin } = new URL(provider.url);
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const allowed = config.runners.loop.provider_allowed_hosts;
  if (allowed.some((each) => each.toLowerCase() === host)) return;
  const given = new Set(
    Object.values(config.endpoints)
      .filter((entry) => URL.parse(entry.base_url)?.origin === origin)
      .flatMap((entry) => {
        const keys =
          typeof entry.api_key === 'string' ? [entry.api_key] : Object.values(entry.api_key);
        return keys.flatMap((key) => referencesOf(key, entry.headers));
      }),
  );
  const foreign = named.filter((reference) => !given.has(reference));
  if (foreign.length === 0) return;
  throw new BridgeError(
    'policy_refused',
    `A model may not send \${${foreign[0] ?? ''}} to ${host}: no configuration says that this key belongs there.`,
    {
      hint: `The user can list ${host} under runners.loop.provider_allowed_hosts in models.yaml.`,
    },
  );
}

function referencesOf(key: string, headers: Readonly<Record<string, string>>): string[] {
  return [key, ...Object.values(headers)].flatMap(referencesIn);
}
