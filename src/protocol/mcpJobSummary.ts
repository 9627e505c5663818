import * as z from 'zod';
import { jobStatusSchema, reviewSchema, runnerNameSchema, type JobRecord } from './job.ts';
import { briefLine } from './briefLine.ts';
import { statusLine } from './statusLine.ts';

/** A job as one row of a list: enough to choose one, small enough for fifty. */
export const jobSummarySchema = z.object({
  id: z.string(),
  task: z.string().describe('First line of the brief'),
  status: jobStatusSchema,
  status_line: z.string(),
  runner: runnerNameSchema,
  client: z.string(),
  endpoint: z.string().nullable(),
  model_requested: z.string().nullable(),
  model_served: z.string().nullable(),
  fallback_from: z.string().nullable(),
  cwd: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  elapsed_s: z.number().nullable(),
  files_changed: z.number().int(),
  gate: z.string().nullable().describe('passed, failed, tampered, or null without a gate'),
  review: reviewSchema.shape.status,
  failure_kind: z.string().nullable(),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;

export function jobSummary(
  job: JobRecord,
  now: Date,
  queuePosition: number | null = null,
): JobSummary {
  return {
    id: job.id,
    task: briefLine(job.task),
    status: job.status,
    status_line: statusLine(job, now, queuePosition),
    runner: job.runner,
    client: job.client.name,
    endpoint: job.endpoint,
    model_requested: job.modelRequested,
    model_served: job.modelServed,
    fallback_from: job.fallback?.from ?? null,
    cwd: job.cwd,
    created_at: job.createdAt,
    finished_at: job.finishedAt,
    elapsed_s: job.elapsedS,
    files_changed: job.filesChanged.length,
    gate: job.gate === null || job.gate.status === 'none' ? null : job.gate.status,
    review: job.review.status,
    failure_kind: job.failure?.kind ?? null,
  };
}
