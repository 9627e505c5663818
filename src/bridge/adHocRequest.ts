import { BridgeError } from '../base/bridgeError.ts';
import { isOnlyReferences, referencesIn } from '../config/secrets.ts';
import type { JobRequest } from '../protocol/job.ts';
import { adHocName } from './adHocName.ts';
import { checkProviderUrl } from './endpoints/providerGuard.ts';
import type { JobStore } from './jobs/jobStore.ts';

/** A request that may name a provider, fit to be kept: the key, when it was given as such, is beside it and never part of it. */
export interface AdHocRequest {
  readonly request: JobRequest;
  readonly key: string | null;
}

/**
 * Takes the key out of a request and names endpoint and model for what follows. A resumed job goes on with the provider it had.
 * @throws BridgeError bad_argument; secret_missing for a job asked for again whose key was given for that one job
 */
export function adHocRequest(asked: JobRequest, store: JobStore): AdHocRequest {
  const previous =
    asked.resumeJob === undefined || asked.endpoint !== undefined || asked.model !== undefined
      ? undefined
      : store.find(asked.resumeJob)?.spec.request.provider;
  const provider = asked.provider ?? previous;
  if (provider === undefined) return { request: asked, key: null };
  const { literalKey = null, apiKey, isKeyGiven = false, ...rest } = provider;
  assertReferences('provider.api_key', apiKey);
  if (literalKey !== null && referencesIn(literalKey).length > 0) {
    // As part of a value it would be put in without anybody asking where it may go.
    throw new BridgeError(
      'bad_argument',
      'A key is a value or a reference, not a mixture of both.',
      {
        hint: 'Give ${secret:name} or ${env:NAME} alone.',
      },
    );
  }
  for (const [name, value] of Object.entries(rest.headers ?? {}))
    assertReferences(`provider.headers.${name}`, value);
  if (isKeyGiven && literalKey === null) {
    throw new BridgeError(
      'secret_missing',
      'The key of this provider was given for one job alone and is kept nowhere.',
      {
        hint: 'Delegate the task again with the key, or name it as ${secret:name} or ${env:NAME}.',
      },
    );
  }
  const name = adHocName(checkProviderUrl(rest.url, []));
  const isOther =
    (asked.endpoint !== undefined && asked.endpoint !== name) ||
    (asked.model !== undefined && asked.model !== rest.model);
  if (isOther) {
    throw new BridgeError('bad_argument', 'A call names a provider, or a model or an endpoint.', {
      hint: 'Leave out model and endpoint: provider.model says which model.',
    });
  }
  return {
    request: {
      ...asked,
      endpoint: name,
      model: rest.model,
      provider: {
        ...rest,
        ...(apiKey === undefined || literalKey !== null ? {} : { apiKey }),
        ...(literalKey === null ? {} : { isKeyGiven: true }),
      },
    },
    key: literalKey,
  };
}

/** Whatever a call says stands in the transcript of its client, so a value has no place in it. */
function assertReferences(field: string, text: string | undefined): void {
  if (text === undefined || text === '') return;
  if (isOnlyReferences(text) && referencesIn(text).length > 0) return;
  throw new BridgeError('bad_argument', `${field} must be a reference, not a value.`, {
    hint: 'Use ${secret:name} or ${env:NAME}; "delegate secret set name" keeps a secret.',
  });
}
