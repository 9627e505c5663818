import { join } from 'node:path';
import type { ChangedFile, JobRecord, JobStatus, Usage } from '../protocol/job.ts';
import { toWire } from '../protocol/keys.ts';

type LocalagentsStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'timeout';

/** That system has no word for a job whose process died or that was refused: both are failures there. */
export const LOCALAGENTS_STATUS: Readonly<Record<JobStatus, LocalagentsStatus>> = {
  queued: 'queued',
  starting: 'running',
  running: 'running',
  gating: 'running',
  done: 'succeeded',
  failed: 'failed',
  timeout: 'timeout',
  cancelled: 'cancelled',
  lost: 'failed',
  refused: 'failed',
};

const MAX_TASK_LENGTH = 300;

/** A job with the field names of localagents. `model` is what answered, null until it has: never a copy of what was asked for. */
export function localagentsRecord(job: JobRecord, stateDir: string): Record<string, unknown> {
  return {
    id: job.id,
    task: job.task.length < MAX_TASK_LENGTH ? job.task : `${job.task.slice(0, MAX_TASK_LENGTH)}…`,
    model: job.modelServed,
    model_requested: job.modelRequested,
    endpoint: job.endpoint,
    base_url: job.baseUrl,
    cwd: job.cwd,
    run_cwd: job.runCwd,
    isolation: job.isolation,
    status: LOCALAGENTS_STATUS[job.status],
    created_at: epochSeconds(job.createdAt),
    started_at: epochSeconds(job.startedAt),
    finished_at: epochSeconds(job.finishedAt),
    session_id: job.sessionId,
    result: job.result,
    error: job.failure === null ? null : `${job.failure.kind}: ${job.failure.message}`,
    num_turns: job.turns,
    tool_calls: job.toolCalls,
    usage: usageOf(job.usage),
    files_touched: job.filesChanged.map((file) => file.path),
    worktree: worktreeOf(job),
    last_activity: job.lastActivity?.text ?? null,
    log_dir: join(stateDir, 'jobs', job.id),
    dump: null,
    context: toWire(job.context),
    metrics: toWire(job.serverMetrics),
    elapsed_s: job.elapsedS === null ? null : Math.round(job.elapsedS * 10) / 10,
  };
}

function epochSeconds(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}

/** Null when no part is known: a usage nobody reported is not 0. */
function usageOf(usage: Usage): Record<string, number | null> | null {
  const { input, output, cacheRead, cacheWrite } = usage;
  if ([input, output, cacheRead, cacheWrite].every((part) => part === null)) return null;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

function worktreeOf(job: JobRecord): Record<string, unknown> | null {
  if (job.worktree === null) return null;
  const { root, branch, base, kept, note } = job.worktree;
  return { path: job.runCwd, root, branch, base, kept, note, diffstat: diffstat(job.filesChanged) };
}

function diffstat(files: readonly ChangedFile[]): string {
  return files
    .map(({ path, additions, deletions }) =>
      additions === null || deletions === null
        ? ` ${path} | Bin`
        : ` ${path} | +${additions} -${deletions}`,
    )
    .join('\n');
}
