import { tryFindRepository } from './worktrees/repository.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { type EndpointPause, endpointPauses } from './endpointPause.ts';
import type { EndpointView, ModelsOverview } from './bridgeTypes.ts';
import { formatPath } from '../config/configPath.ts';
import { servedProblems } from '../config/servedProblems.ts';
import { LIVE_STATUSES } from './jobs/status.ts';
import { viewPools } from './slotUse.ts';
import { servedFacts } from './servedFacts.ts';
import type { SurveyedEndpoint } from './surveyEndpoints.ts';
import { surveyEndpoints } from './surveyEndpoints.ts';

const GUIDANCE = [
  'Say which served model you will use before you delegate.',
  'Prefer instruct or coder models with a window of 128k or more that can call tools; a smaller window compacts all the time.',
  'If an id is unfamiliar, or looks like a chat or role-play model, ask the user first.',
  'Never swap a model that the user named. When nothing fits, ask the user to start a model server.',
].join(' ');

/** Every endpoint with what it serves right now, every pool with its use. */
export async function listModels(
  context: BridgeContext,
  options: { cwd: string; signal?: AbortSignal },
): Promise<ModelsOverview> {
  const repository = await tryFindRepository(await context.git(), options.cwd);
  const config = context.loadConfig(repository?.repoRoot ?? null);
  const surveyed = context.isRestricted
    ? []
    : await surveyEndpoints(context, config, {
        policy: 'any',
        ...(options.signal ? { signal: options.signal } : {}),
      });
  const { defaults } = config.config;
  const pauses = endpointPauses(context.store, new Date());
  return {
    configFile: config.files.find((file) => file.role === 'user')?.path ?? '',
    configStale: config.stale,
    problems: [...config.problems, ...servedProblems(config, servedFacts(surveyed))],
    isConfigured: Object.keys(config.config.endpoints).some(
      (name) => config.origin(formatPath(['endpoints', name, 'base_url'])) !== 'default',
    ),
    configured: Object.keys(config.config.endpoints),
    isProbed: !context.isRestricted,
    untrusted: config.untrusted,
    defaultModel: defaults.model === '' ? null : defaults.model,
    endpoints: surveyed.map((endpoint) =>
      viewEndpoint(context, endpoint, pauses.get(endpoint.name) ?? null),
    ),
    pools: viewPools(context, config.config),
    guidance: GUIDANCE,
  };
}

function viewEndpoint(
  context: BridgeContext,
  endpoint: SurveyedEndpoint,
  pause: EndpointPause | null,
): EndpointView {
  const { name, entry, place, probe } = endpoint;
  if (probe === null) throw new Error(`The endpoint ${name} was not asked.`);
  const limit = entry.max_concurrent;
  return {
    name,
    baseUrl: entry.base_url,
    host: entry.host,
    notes: entry.notes,
    locality: place.locality,
    maxConcurrent: typeof limit === 'number' ? limit : (probe.slots?.total ?? null),
    inUse: context.store.inOrder(LIVE_STATUSES).filter((job) => job.record.endpoint === name)
      .length,
    pause,
    probe:
      place.warning === null ? probe : { ...probe, warnings: [...probe.warnings, place.warning] },
  };
}
