import { BridgeError } from '../base/bridgeError.ts';
import { backendSchema } from '../config/endpointSchema.ts';
import { writeSidecarEndpoint } from '../config/sidecar.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { endpointAddress } from './endpointAddress.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { surveyEndpoints } from './surveyEndpoints.ts';

export interface NewEndpoint {
  /** Root of the server; a `/v1` at its end is taken off. */
  readonly baseUrl: string;
  readonly backend?: string;
  /** Where it runs, in words. */
  readonly host?: string;
  readonly notes?: string;
  /** Name of the kept secret that is its key; the file gets a reference, never the key. */
  readonly secret?: string;
}

/**
 * Writes one endpoint to the sidecar of the user's models.yaml and says what answers there now. An endpoint of the same name in
 * models.yaml keeps every field that is not given here; one with another address is not replaced silently.
 */
export async function registerEndpoint(
  context: BridgeContext,
  name: string,
  entry: NewEndpoint,
  repoRoot: string | null,
): Promise<{ file: string; probe: EndpointProbe }> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new BridgeError(
      'bad_argument',
      `"${name.slice(0, 64)}" cannot be the name of an endpoint.`,
      {
        hint: 'Use letters, digits, dots, dashes and underscores.',
      },
    );
  }
  const baseUrl = endpointAddress(entry.baseUrl);
  const backend = entry.backend === undefined ? undefined : backendSchema.safeParse(entry.backend);
  if (backend?.success === false) {
    throw new BridgeError('bad_argument', `"${entry.backend}" is no kind of server.`, {
      hint: `One of ${backendSchema.options.join(', ')}.`,
    });
  }
  const file = writeSidecarEndpoint(context.userConfigFile, name, {
    base_url: baseUrl,
    ...(backend === undefined ? {} : { backend: backend.data }),
    ...(entry.secret === undefined ? {} : { api_key: `\${secret:${entry.secret}}` }),
    ...(entry.host === undefined || entry.host === '' ? {} : { host: entry.host }),
    ...(entry.notes === undefined || entry.notes === '' ? {} : { notes: entry.notes }),
  });
  const [surveyed] = await surveyEndpoints(context, context.loadConfig(repoRoot), {
    policy: 'any',
    only: name,
  });
  if (!surveyed?.probe) {
    throw new BridgeError('config_invalid', `${file} was written, but ${name} is not in force.`, {
      hint: 'Run "delegate doctor".',
    });
  }
  return { file, probe: surveyed.probe };
}
