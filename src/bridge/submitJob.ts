import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { newJobId } from '../base/ids.ts';
import type { LoadedConfig } from '../config/load.ts';
import { expandHome } from '../config/paths.ts';
import type { Failure, JobRecord, JobRequest, RunnerName } from '../protocol/job.ts';
import { type AdHocEndpoint, adHocEndpoint, withAdHoc } from './adHocEndpoint.ts';
import { assertKeysMayGo } from './adHocKeys.ts';
import { adHocRequest } from './adHocRequest.ts';
import { configForAgent } from './agents/configForAgent.ts';
import type { AgentDefinition } from './agents/agentDefinition.ts';
import { readAgent } from './agents/readAgent.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { Caller } from './bridgeTypes.ts';
import { decideRoute, type DecidedRoute } from './decideRoute.ts';
import { assertAllowedFolder } from './forbiddenFolders.ts';
import { endRecord } from './jobs/endRecord.ts';
import { endpointLimit } from './jobs/endpointLimit.ts';
import type { JobSpec } from './jobs/jobSpec.ts';
import { newRecord } from './jobs/newRecord.ts';
import { keepJob } from './keepJob.ts';
import { findPrevious, resumedRoute, resumeOf } from './resumedJob.ts';
import {
  assertFolder,
  assertPolicy,
  assertRequest,
  assertSpeaksMessages,
  assertWindow,
  notARepository,
} from './submitChecks.ts';
import { headCommit, tryFindRepository } from './worktrees/repository.ts';

/** Kinds that end a submit as a job with status `refused`: the ledger shows what was not run, and why. */
const REFUSALS = [
  'model_unavailable',
  'model_unsuitable',
  'policy_refused',
  'unknown_endpoint',
  'workdir_forbidden',
  'not_a_repository',
  'no_commits',
  'memory_floor',
  'wrong_state',
  'secret_missing',
] as const;

interface Draft {
  record: JobRecord;
  readonly request: JobRequest;
  config: LoadedConfig;
  readonly repoRoot: string | null;
  adHoc: AdHocEndpoint | null;
  readonly keep: typeof keepJob;
}

/**
 * Takes one delegation: checks it, decides where it runs, and puts it in the queue. A call that makes no sense throws
 * (bad_argument, unknown_gate, unknown_job, not_supported); one that must not or cannot run becomes a refused job.
 *
 * @param keep what is done with the job, in place of queueing it
 */
export async function submitJob(
  context: BridgeContext,
  asked: JobRequest,
  caller: Caller,
  defaultCwd: string,
  keep: typeof keepJob = keepJob,
): Promise<JobRecord> {
  const { request, key } = adHocRequest(asked, context.store);
  const cwd = resolve(defaultCwd, expandHome(request.cwd ?? '.', context.homeDir));
  const previous = findPrevious(context, request);
  const git = await context.git();
  const folder = previous?.cwd ?? cwd;
  assertFolder(folder);
  const repository = await tryFindRepository(git, folder);
  const config = configForAgent(
    context.loadConfig(repository?.repoRoot ?? null),
    request.agent ?? null,
  );
  // Definitions are read by the loop alone.
  const runner =
    request.runner ?? (request.agent === undefined ? config.config.defaults.runner : 'loop');
  assertRequest(request, config, runner);

  const agent = agentOf(context, config, request, folder);
  const isolation =
    previous?.isolation ??
    request.isolation ??
    (request.readOnly === true ? 'none' : config.config.defaults.isolation);
  const draft: Draft = {
    request,
    config,
    repoRoot: repository?.repoRoot ?? null,
    adHoc: null,
    keep,
    record: {
      ...newRecord({
        id: newJobId(runner, new Date()),
        task: request.task,
        runner,
        client: { name: caller.name, session: caller.session, pid: caller.pid },
        policy: request.policy ?? previous?.policy ?? config.config.defaults.policy,
        cwd: folder,
        isolation,
        createdAt: new Date().toISOString(),
      }),
      agent: agent === null ? null : { name: agent.name, source: agent.source },
      kind: request.kind ?? null,
      modelRequested: request.model ?? null,
      readOnly: request.readOnly ?? previous?.readOnly ?? false,
      resumedFrom: previous?.id ?? null,
      preset: presetOf(runner, request, config, agent),
      review: { status: 'none', by: null, at: null, files: [], dropped: [] },
    },
  };
  try {
    assertPolicy(request, config, caller);
    assertAllowedFolder(folder, context);
    if (isolation === 'worktree' && previous === null) {
      if (repository === null) throw notARepository(folder);
      await headCommit(git, repository.repoRoot);
    }
    if (request.provider !== undefined) {
      assertKeysMayGo(request.provider, config.config, caller);
      draft.adHoc = await adHocEndpoint(request.provider, key, {
        allowedHosts: config.config.runners.loop.provider_allowed_hosts,
      });
      draft.config = withAdHoc(config, draft.adHoc);
    }
    return await queueJob(context, draft, previous);
  } catch (error) {
    if (!BridgeError.is(error, ...REFUSALS)) throw error;
    return refuseJob(context, draft, error);
  }
}

async function queueJob(
  context: BridgeContext,
  draft: Draft,
  previous: JobRecord | null,
): Promise<JobRecord> {
  const { request, config } = draft;
  const routed = await decideRoute(context, config, resumedRoute(context, request, previous), {
    needsTools: true,
  });
  draft.record = withRoute(draft.record, routed);
  if (!routed.decision.ok) throw routed.decision.error;
  const { endpoint, model } = routed.decision;
  const surveyed = routed.endpoints.find((candidate) => candidate.name === endpoint);
  if (surveyed === undefined)
    throw new BridgeError('internal', `The endpoint ${endpoint} was not surveyed.`);
  if (draft.record.runner === 'claude-code') {
    assertSpeaksMessages(surveyed);
    assertWindow(surveyed, model);
  }

  const { defaults, pools } = config.config;
  const pool = routed.pool ?? 'default';
  const spec: JobSpec = {
    request,
    servedModel: model,
    pool,
    poolSlots: pools[pool]?.slots ?? 6,
    endpointLimit: endpointLimit(surveyed),
    exclusiveGroup: surveyed.entry.exclusive_group || null,
    alternatives: routed.alternatives,
    failoverSinceMs: null,
    repoRoot: draft.repoRoot,
    timeoutS: request.timeoutS ?? timeLimit(draft),
    idleTimeoutS: defaults.idle_timeout_s,
    configFile: context.configFile,
    resume: resumeOf(previous),
  };
  draft.record = { ...draft.record, worktree: previous?.worktree ?? null };
  draft.keep(context, { record: draft.record, spec, refusal: null, adHoc: draft.adHoc });
  return draft.record;
}

/** The loop has a limit of its own for the whole job; queueing is in none. */
function timeLimit({ record, config: { config } }: Draft): number {
  return record.runner === 'loop'
    ? config.runners.loop.dispatch_timeout_s
    : config.defaults.timeout_s;
}

function refuseJob(context: BridgeContext, draft: Draft, error: BridgeError): JobRecord {
  const failure: Failure = { kind: error.kind, message: error.message, hint: error.hint };
  const record = endRecord(draft.record, 'refused', failure, new Date());
  const spec: JobSpec = {
    request: draft.request,
    servedModel: '',
    pool: 'default',
    poolSlots: 0,
    endpointLimit: null,
    exclusiveGroup: null,
    alternatives: [],
    failoverSinceMs: null,
    repoRoot: draft.repoRoot,
    timeoutS: draft.config.config.defaults.timeout_s,
    idleTimeoutS: draft.config.config.defaults.idle_timeout_s,
    configFile: context.configFile,
    resume: null,
  };
  draft.keep(context, { record, spec, refusal: error, adHoc: null });
  return record;
}

function withRoute(record: JobRecord, routed: DecidedRoute): JobRecord {
  const { decision } = routed;
  if (!decision.ok)
    return { ...record, route: { rule: 'refused', considered: [...decision.considered] } };
  const surveyed = routed.endpoints.find((candidate) => candidate.name === decision.endpoint);
  const served = surveyed?.probe?.models.find((model) => model.id === decision.model);
  return {
    ...record,
    endpoint: decision.endpoint,
    baseUrl: surveyed?.entry.base_url ?? null,
    locality: decision.locality,
    route: { rule: decision.rule, considered: [...decision.considered] },
    context: { window: served?.context ?? null, used: null },
    warnings: [...record.warnings, ...routed.warnings],
  };
}

/** Found once, at submit; the host reads the same file again. */
function agentOf(
  context: BridgeContext,
  config: LoadedConfig,
  request: JobRequest,
  folder: string,
): AgentDefinition | null {
  if (request.agent === undefined) return null;
  return readAgent(request.agent, {
    folder,
    agentsDir: expandHome(config.config.runners.loop.agents_dir, context.homeDir),
  });
}

/** Which instructions the job had beside its brief; the hash tells one version of them from another. */
function presetOf(
  runner: RunnerName,
  request: JobRequest,
  { config }: LoadedConfig,
  agent: AgentDefinition | null,
): JobRecord['preset'] {
  const appended = [config.defaults.system_prompt_append, request.systemPromptAppend ?? ''].join(
    '\n',
  );
  const text = agent === null ? appended : `${agent.body}\n${appended}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const name = agent === null ? runner : `${runner} + agent ${agent.name}`;
  return { name: appended.trim() === '' ? name : `${name} + appended text`, hash };
}
