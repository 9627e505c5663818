import { resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { modelForAgent } from '../bridge/agents/modelForAgent.ts';
import { isOnlyReferences, referencesIn } from '../config/secrets.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import {
  type AskedDispatch,
  delegateLocalResult,
  type DispatchTrouble,
} from './delegateLocalResult.ts';
import type { ToolContext } from './tool.ts';

/** One call of delegate-local, as its parameters have it. */
export interface DelegateLocalCall {
  readonly agent_name: string;
  readonly task: string;
  readonly workdir?: string | undefined;
  /** 0: the default. */
  readonly max_turns?: number | undefined;
  readonly model?: string | undefined;
  readonly max_tokens?: number | null | undefined;
  readonly provider?: { readonly url: string; readonly key: string; readonly modeTag: string };
}

/** A call and what became of it so far: a job, or the reason why there is none. */
export interface Dispatch {
  readonly asked: AskedDispatch;
  readonly job: JobRecord | null;
  readonly trouble: DispatchTrouble | null;
}

const DEFAULT_MODE_TAG = 'MODE:LOCAL';

/** Queues the job of one call. Never throws for what is wrong with the call: that is its result. */
export async function startDispatch(
  call: DelegateLocalCall,
  settings: EffectiveConfig,
  { bridge, caller, defaultCwd }: ToolContext,
): Promise<Dispatch> {
  const asked = askedOf(call, settings, defaultCwd);
  try {
    const job = await bridge.submit(requestOf(call, asked, settings), caller, defaultCwd);
    return { asked, job, trouble: null };
  } catch (error) {
    const { kind, message, hint } = BridgeError.from(error);
    return { asked, job: null, trouble: { kind, message, hint } };
  }
}

/**
 * Waits until every job has ended, with progress, and gives the results in order. A job that is still in the queue after
 * `queueGraceMs` is taken out of it: nobody would be there any more to read its result. The others go on when the client leaves.
 */
export async function finishDispatches(
  dispatches: readonly Dispatch[],
  settings: EffectiveConfig,
  context: ToolContext,
  queueGraceMs: number,
): Promise<Record<string, unknown>[]> {
  const { bridge, caller, signal, reportProgress, onAbandoned } = context;
  const ids = dispatches.flatMap(({ job }) => job?.id ?? []);
  const unserved = new Set<string>();
  const grace = setTimeout(() => {
    for (const id of ids.filter((each) => bridge.job(each).status === 'queued')) {
      unserved.add(id);
      onAbandoned(bridge.cancel(id, caller));
    }
  }, queueGraceMs);
  try {
    if (ids.length > 0) {
      reportProgress(ids.map((id) => bridge.job(id)));
      await bridge.wait(ids, {
        mode: 'all',
        timeoutMs: Number.MAX_SAFE_INTEGER,
        signal,
        onProgress: (jobs) => reportProgress(jobs),
      });
    }
  } finally {
    clearTimeout(grace);
  }
  return dispatches.map(({ asked, job, trouble }) => {
    const present = job === null ? null : bridge.job(job.id);
    const isUnserved = present !== null && unserved.has(present.id) && present.startedAt === null;
    return delegateLocalResult(
      asked,
      present,
      settings.models,
      isUnserved ? queueTrouble(queueGraceMs) : trouble,
    );
  });
}

function askedOf(
  call: DelegateLocalCall,
  settings: EffectiveConfig,
  defaultCwd: string,
): AskedDispatch {
  const { max_turns: usual, hard_max_turns: most } = settings.runners.loop;
  const turns = Math.trunc(call.max_turns ?? 0);
  return {
    agentName: call.agent_name,
    workdir: resolve(defaultCwd, call.workdir ?? '.'),
    model: modelForAgent(call.agent_name, call.model ?? null, settings).model,
    maxTurns: Math.min(Math.max(turns <= 0 ? usual : turns, 1), most),
  };
}

/** In place, read and write, with the limits of the loop: what a call of that system always meant. */
function requestOf(
  { agent_name: agent, task, max_tokens: maxTokens, provider }: DelegateLocalCall,
  asked: AskedDispatch,
  settings: EffectiveConfig,
): JobRequest {
  const tokens = Math.trunc(maxTokens ?? 0);
  return {
    task,
    runner: 'loop',
    agent,
    cwd: asked.workdir,
    isolation: 'none',
    maxTurns: asked.maxTurns,
    timeoutS: settings.runners.loop.dispatch_timeout_s,
    ...(tokens > 0 ? { maxTokens: tokens } : {}),
    ...(provider === undefined ? namedModel(asked) : providerOf(provider, asked)),
  };
}

function namedModel({ model }: AskedDispatch): Pick<JobRequest, 'model'> {
  return model === null ? {} : { model };
}

function providerOf(
  { url, key, modeTag }: NonNullable<DelegateLocalCall['provider']>,
  { model }: AskedDispatch,
): Pick<JobRequest, 'provider' | 'systemPromptAppend'> {
  return {
    provider: {
      url,
      model: model ?? '',
      ...(key === '' ? {} : isReference(key) ? { apiKey: key } : { literalKey: key }),
    },
    ...(modeTag === DEFAULT_MODE_TAG ? {} : { systemPromptAppend: modeTag }),
  };
}

function isReference(key: string): boolean {
  return isOnlyReferences(key) && referencesIn(key).length > 0;
}

function queueTrouble(graceMs: number): DispatchTrouble {
  return {
    kind: 'timeout',
    message: `No slot became free within ${Math.round(graceMs / 1000)} s, so the job was taken out of the queue.`,
    hint: 'Send fewer at once, or give its pool more slots.',
    timeoutScope: 'provider_queue',
  };
}
