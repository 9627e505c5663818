import { jobRecordSchema, type JobRecord } from '../protocol/job.ts';
import { toWire } from '../protocol/keys.ts';
import { jobProvenance } from '../protocol/mcpProvenance.ts';
import { statusLine } from '../protocol/statusLine.ts';
import * as z from 'zod';
import type { ToolAnswer, ToolContext } from './tool.ts';
import { WATCH_HINT, watchCommand } from './watchCommand.ts';

/** Output fields of every tool that answers with one job. */
export const JOB_FIELDS = {
  job: jobRecordSchema,
  status_line: z.string(),
  queue_position: z.number().int().nullable(),
  watch: z.string().describe('Command that waits for the job'),
  watch_hint: z.string(),
} as const;

const MAX_TASK_LENGTH = 500;

const UNSUCCESSFUL: ReadonlySet<string> = new Set([
  'failed',
  'timeout',
  'cancelled',
  'lost',
  'refused',
]);

function isUnsuccessful(job: Pick<JobRecord, 'status'>): boolean {
  return UNSUCCESSFUL.has(job.status);
}

export function isOver(job: Pick<JobRecord, 'status'>): boolean {
  return job.status === 'done' || isUnsuccessful(job);
}

/** Done, and no check says otherwise: what scripts and waiting agents may take for a success. */
export function isSuccess({ status, gate }: Pick<JobRecord, 'status' | 'gate'>): boolean {
  return status === 'done' && gate?.status !== 'failed' && gate?.status !== 'tampered';
}

/** The caller wrote the brief itself, and a list needs its beginning; the whole stands in the resource of the job. */
export function shortTask(task: string): string {
  if (task.length <= MAX_TASK_LENGTH) return task;
  return `${task.slice(0, MAX_TASK_LENGTH)}… [cut: ${task.length} characters in all]`;
}

/** A job as an answer; one that is not over comes with the command that waits for it. */
export function jobAnswer(job: JobRecord, context: ToolContext): ToolAnswer {
  const position = job.status === 'queued' ? context.bridge.queuePosition(job.id) : null;
  return {
    provenance: jobProvenance(job),
    fields: {
      status_line: statusLine(job, context.now(), position),
      queue_position: position,
      ...(isOver(job)
        ? {}
        : { watch: watchCommand(context.bridge.stateDir, [job.id]), watch_hint: WATCH_HINT }),
      // A person reads the brief in VS Code; a model has just written it.
      job: toWire(context.caller.kind === 'person' ? job : { ...job, task: shortTask(job.task) }),
    },
    resourceUri: `delegate://jobs/${job.id}`,
  };
}

/** As jobAnswer, and an error when the job has ended without success: for calls that asked for the job itself. */
export function jobOutcome(job: JobRecord, context: ToolContext): ToolAnswer {
  const answer = jobAnswer(job, context);
  if (!isUnsuccessful(job)) return answer;
  const failure = job.failure ?? {
    kind: job.status,
    message: `The job ended as ${job.status}.`,
    hint: '',
  };
  return {
    ...answer,
    error: {
      ...failure,
      // "Do it yourself" would be the cloud that a local-only job must not reach.
      ...(job.policy === 'local-only' ? { do_not_retry_in_cloud: true } : {}),
    },
  };
}
