import type { EndpointTarget } from './endpointTarget.ts';

// Shorter header values (a version, a region) are no secrets, and replacing them would garble
// messages.
const MIN_SECRET_LENGTH = 8;

/**
 * Takes the values of an endpoint's headers out of a text: some servers repeat the key they refuse.
 */
export function redact(text: string, target: EndpointTarget): string {
  const secrets = Object.values(target.headers)
    .flatMap((value) => [value, value.replace(/^\w+ /, '')])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}
