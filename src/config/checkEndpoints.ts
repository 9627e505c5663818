import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { isPublicAddress } from './publicAddress.ts';
import type { ModelsFile } from './schema.ts';
import { serverRoot } from './serverRoot.ts';

/** Addresses: missing, doubled, written with a path that is added anyway, or public and called local. */
export function checkEndpoints(value: ModelsFile): CheckFinding[] {
  const findings: CheckFinding[] = [];
  /** The first endpoint with an address and key. */
  const seen = new Map<string, string>();
  for (const [name, entry] of Object.entries(value.endpoints ?? {})) {
    const path = ['endpoints', name, 'base_url'];
    const url = entry.base_url;
    if (url === undefined) {
      findings.push(
        checkFinding(
          'error',
          'missing_key',
          ['endpoints', name],
          `the endpoint "${name}" has no "base_url"; it is left out`,
          { at: 'key' },
        ),
      );
      continue;
    }
    const parsed = URL.parse(url);
    if (parsed !== null && (parsed.username !== '' || parsed.password !== '')) {
      findings.push(
        checkFinding(
          'error',
          'base_url_password',
          path,
          `the address of "${name}" holds a user name or password, which every list would show; the endpoint is left out`,
          { suggestion: 'put it in api_key or headers, as ${secret:name}' },
        ),
      );
      continue;
    }
    if (parsed !== null && /\/v1(\/|$)/.test(parsed.pathname)) {
      findings.push(
        checkFinding(
          'warning',
          'base_url_path',
          path,
          'the address is the root of the server; "/v1" and what follows is added by itself',
          {
            suggestion: serverRoot(url),
          },
        ),
      );
    }
    if (
      parsed !== null &&
      (entry.locality === 'local' || entry.locality === 'lan') &&
      isPublicAddress(parsed.hostname)
    ) {
      findings.push(
        checkFinding(
          'warning',
          'public_address',
          ['endpoints', name, 'locality'],
          `"${name}" is called ${entry.locality} but its address is public; local-only jobs will not use it`,
        ),
      );
    }
    const key = JSON.stringify([serverRoot(url), entry.api_key ?? '']);
    const twin = seen.get(key);
    if (twin !== undefined) {
      findings.push(
        checkFinding(
          'error',
          'same_endpoint',
          path,
          `"${name}" has the address and key of "${twin}"; one of them has to go (the first is used)`,
        ),
      );
    } else seen.set(key, name);
  }
  return findings;
}
