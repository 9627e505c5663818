import { BridgeError } from '../base/bridgeError.ts';
import type { LoadedConfig } from '../config/load.ts';
import { modelFacts } from '../config/modelFacts.ts';
import type { EndpointConfig } from '../config/schema.ts';
import type { Locality } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import type { EndpointProbe } from '../bridge/endpoints/endpointProbe.ts';
import { modelLocality, placeAfterProbe } from '../bridge/endpoints/locality.ts';
import { probeEndpoint } from '../bridge/endpoints/probeEndpoint.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import { resolveTarget, type ResolvedTarget } from '../bridge/resolveTarget.ts';
import { configForJob } from '../bridge/submittedConfig.ts';
import { placeEndpoint } from '../bridge/surveyEndpoints.ts';

/** The endpoint of a job as it is when the job starts. */
export interface JobEndpoint {
  readonly config: LoadedConfig;
  readonly entry: EndpointConfig;
  readonly resolved: ResolvedTarget;
  readonly probe: EndpointProbe;
  readonly locality: Locality;
  /** Tokens per request; null: nobody said. */
  readonly contextWindow: number | null;
}

const NEAR: ReadonlySet<Locality> = new Set(['local', 'lan']);

/**
 * The route was decided at submit; when the job starts it is checked again: the endpoint is still configured, still serves the
 * model, and still lies where the policy lets the job run.
 * @throws BridgeError unknown_endpoint, wrong_state for one that has moved, policy_refused, model_unavailable, secret_missing, cancelled
 */
export async function setUpEndpoint(
  context: BridgeContext,
  job: StoredJob,
  signal: AbortSignal,
): Promise<JobEndpoint> {
  const { record, spec } = job;
  const name = record.endpoint ?? '';
  const config = configForJob(context.stateDir, record.id, context.loadConfig(spec.repoRoot));
  const entry = config.config.endpoints[name];
  if (entry === undefined) {
    throw new BridgeError('unknown_endpoint', `The endpoint ${name} is no longer in models.yaml.`, {
      hint: 'Put it back, or delegate again to another endpoint.',
    });
  }
  const timeoutMs = config.config.defaults.probe_timeout_s * 1000;
  const place = await placeEndpoint(context, entry, timeoutMs);
  if (record.policy === 'local-only' && !NEAR.has(place.locality))
    throw notNear(name, place.locality);
  if (record.baseUrl !== null && entry.base_url !== record.baseUrl) {
    throw new BridgeError(
      'wrong_state',
      `The endpoint ${name} was at ${record.baseUrl} when the job was taken, and models.yaml has it at ${entry.base_url} now.`,
      { hint: 'Delegate again, so that the job is routed anew.' },
    );
  }
  const resolved = await resolveTarget(
    name,
    entry,
    record.policy,
    { env: context.env, secrets: context.secrets },
    spec.servedModel,
  );
  const probe = await probeEndpoint(resolved.target, { timeoutMs, signal });
  if (probe.state === 'down') {
    throw new BridgeError('model_unavailable', probe.message ?? `The endpoint ${name} is down.`, {
      hint: probe.hint,
      details: { is_down: true },
    });
  }
  const served = probe.models.find((model) => model.id === spec.servedModel);
  if (served === undefined && probe.listsModels) {
    throw new BridgeError('model_unavailable', `${name} no longer serves ${spec.servedModel}.`, {
      hint: 'Load the model again, or delegate to one that is served.',
    });
  }
  const locality = modelLocality(placeAfterProbe(place, probe), {
    id: spec.servedModel,
    remoteHost: served?.remoteHost ?? null,
  });
  if (record.policy === 'local-only' && !NEAR.has(locality)) throw notNear(name, locality);
  return {
    config,
    entry,
    resolved,
    probe,
    locality,
    contextWindow:
      served?.context ?? modelFacts(config.config.models, spec.servedModel).context_window ?? null,
  };
}

function notNear(name: string, locality: Locality): BridgeError {
  return new BridgeError(
    'policy_refused',
    `The job is local-only, and the endpoint ${name} is ${locality === 'unknown' ? 'at an unknown place' : locality}.`,
    {
      hint: 'Choose a local endpoint, or declare its locality in models.yaml if it is one.',
      details: { do_not_retry_in_cloud: true },
    },
  );
}
