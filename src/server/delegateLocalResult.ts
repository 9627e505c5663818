import { modelFacts } from '../config/modelFacts.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { JobRecord } from '../protocol/job.ts';
import { isOver } from './toolAnswers.ts';

/** What a call asked for that is no part of the job's record. */
export interface AskedDispatch {
  readonly agentName: string;
  /** Absolute. */
  readonly workdir: string;
  /** The name that was asked for; null: whatever is served first. */
  readonly model: string | null;
  readonly maxTurns: number;
}

/** Why there is no job, or why a job was not waited for to its end. */
export interface DispatchTrouble {
  readonly kind: string;
  readonly message: string;
  readonly hint: string;
  readonly timeoutScope?: 'provider_queue';
}

type Models = EffectiveConfig['models'];
type Field = (job: JobRecord, models: Models) => unknown;

/** Ends at the turn limit with calls pending, by the names that runners give it. */
const TURN_LIMITS: ReadonlySet<string> = new Set(['turn_limit_pending_tools', 'max_turns']);

/**
 * The fields of a result of delegate-local, each from the record of the job; what nobody knows is null. The same for every ending.
 * The runner here refuses no repeated call, so none is ever counted as deduplicated.
 */
const FIELDS: Readonly<Record<string, Field>> = {
  final_response: (job) => job.result,
  agent_source: (job) => job.agent?.source ?? null,
  turns: (job) => job.turns,
  tool_calls: (job) => job.toolCalls,
  malformed_calls: () => null,
  deduped_calls: () => 0,
  evicted_tool_results: () => null,
  nudges: () => null,
  resumed_after_nudge: () => null,
  elapsed_s: (job) => (job.elapsedS === null ? null : oneDecimal(job.elapsedS)),
  tokens_in: (job) => job.usage.input,
  tokens_out: (job) => job.usage.output,
  cache_read_tokens: (job) => job.usage.cacheRead,
  cache_creation_tokens: (job) => job.usage.cacheWrite,
  cache_hit_pct: (job) => cacheHitPct(job),
  stop_reason: (job) => job.stopReason,
  hit_turn_limit: (job) => TURN_LIMITS.has(job.stopReason ?? ''),
  incomplete: (job) => job.failure?.kind === 'incomplete',
  bash_calls: (job) => job.commands.run,
  bash_failures: (job) => job.commands.failed,
  last_bash_exit: (job) => job.commands.lastExit,
  response_model: (job) => job.modelServed,
  fallback_note: (job, models) => fallbackNote(job, models),
  failed_over_from: (job) => job.fallback?.from ?? null,
  model_used: (job) => job.fallback?.to ?? routedModel(job),
};

/**
 * One result for every ending: success, turn limit, failure, time-out, cancel, refusal, and a call that made no job at all.
 * `error` says in words what went wrong whenever `success` is false.
 */
export function delegateLocalResult(
  asked: AskedDispatch,
  job: JobRecord | null,
  models: Models,
  trouble: DispatchTrouble | null = null,
): Record<string, unknown> {
  const failure = trouble ?? (job === null ? null : failureOf(job));
  const isSuccess = failure === null;
  const known = Object.entries(FIELDS).map(([name, read]) => [
    name,
    job === null ? null : read(job, models),
  ]);
  return {
    success: isSuccess,
    agent_name: asked.agentName,
    model: asked.model ?? (job === null ? null : routedModel(job)),
    workdir: asked.workdir,
    max_turns: asked.maxTurns,
    ...(Object.fromEntries(known) as Record<string, unknown>),
    incomplete: job?.failure?.kind === 'incomplete',
    error: isSuccess ? null : [failure.message, failure.hint].filter(Boolean).join(' '),
    error_kind: failure?.kind ?? null,
    timeout_scope: trouble?.timeoutScope ?? (job?.status === 'timeout' ? 'dispatch' : null),
    turn_failed: isSuccess || job === null ? null : turnFailed(job),
    job_id: job?.id ?? null,
    endpoint: job?.endpoint ?? null,
    files_changed: job?.filesChanged.map((file) => file.path) ?? null,
    warnings: job?.warnings ?? [],
  };
}

function failureOf(job: JobRecord): DispatchTrouble | null {
  if (job.status === 'done') return null;
  if (job.failure !== null) return job.failure;
  return isOver(job)
    ? { kind: job.status, message: `The job ended as ${job.status}.`, hint: '' }
    : {
        kind: 'timeout',
        message: `The call ended while the job ${job.id} was ${job.status}; it goes on.`,
        hint: `Wait for it with "delegate wait ${job.id}".`,
      };
}

/** The turn that the model was asked for in vain; null when the end had another cause. */
function turnFailed(job: JobRecord): number | null {
  const isIncomplete = job.failure?.kind === 'incomplete';
  return isIncomplete ? null : job.turns;
}

/** Null when the server reported no cache, or nothing at all. */
function cacheHitPct({ usage }: JobRecord): number | null {
  const { input, cacheRead, cacheWrite } = usage;
  if (input === null || cacheRead === null) return null;
  const all = input + cacheRead + (cacheWrite ?? 0);
  return all === 0 ? 0 : oneDecimal((100 * cacheRead) / all);
}

/** The served model that the route took, before any failover. */
function routedModel(job: JobRecord): string | null {
  return job.route?.considered.find((candidate) => candidate.reason === null)?.model ?? null;
}

/** Only when both names are known and one is not just another name of the other. */
function fallbackNote(job: JobRecord, models: Models): string | null {
  const asked = job.fallback?.from ?? routedModel(job);
  const answered = job.modelServed;
  if (asked === null || answered === null) return null;
  const aliases = [asked, ...(modelFacts(models, asked).answers_as ?? [])];
  const isSame = aliases.some((alias) => alias.toLowerCase() === answered.toLowerCase());
  return isSame ? null : `answered_by: ${answered} (requested ${asked})`;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
