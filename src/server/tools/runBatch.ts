import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, JobRequest } from '../../protocol/job.ts';
import { fromWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobSummary } from '../../protocol/mcpJobSummary.ts';
import { jobProvenance, noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import {
  assertBatchSize,
  type BatchTask,
  batchTasksSchema,
  readBatchTasks,
} from '../batchTasks.ts';
import { cancelWithClient } from '../cancelWithClient.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { isOver, isSuccess } from '../toolAnswers.ts';
import { WATCH_HINT, watchCommand } from '../watchCommand.ts';
import { runAgentFields } from './runAgentFields.ts';

const taskSchema = z.strictObject(runAgentFields);

/** What became of one task: a job, or the reason why there is none. */
interface Started {
  readonly job: JobRecord | null;
  readonly error: BridgeError | null;
}

export const runBatch = defineTool({
  name: 'run_batch',
  title: 'Run batch',
  description:
    'Hands several bounded tasks over at once, each with the fields of run_agent, and answers with one result for each in the order given. One that cannot start fails alone; with atomic none starts then. The jobs wait for free slots by themselves. With wait_s 0 run the command in "watch" in the background to hear of the end of all.',
  effect: 'write',
  isIdempotent: false,
  input: z.strictObject({
    tasks: batchTasksSchema(taskSchema),
    atomic: z.boolean().optional().describe('Start all tasks or none; default false'),
    wait_s: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe('Seconds to wait for the end of all; default 0: answer at once'),
    cancel_with_client: z
      .boolean()
      .optional()
      .describe('Cancel all its jobs when this call is cancelled'),
  }),
  output: answerSchema({
    batch_size: z.number().int(),
    started: z.number().int(),
    succeeded: z.number().int(),
    failed: z.number().int().describe('Not started, refused, or ended without success'),
    results: z.array(
      z.looseObject({
        index: z.number().int(),
        ok: z.boolean().nullable().describe('null: not known yet'),
        job_id: z.string().nullable(),
      }),
    ),
    watch: z.string().describe('Command that waits for all jobs that are not over'),
    watch_hint: z.string(),
  }),
  run: async (args, context) => {
    const { tasks, atomic: isAtomic = false, wait_s: waitS = 0 } = args;
    const settings = await context.bridge.effectiveConfig(context.defaultCwd);
    assertBatchSize(tasks.length, settings.runners.loop.max_batch);
    const read = readBatchTasks(tasks, taskSchema);
    const started = await (isAtomic ? startAllOrNone(read, context) : startEach(read, context));
    const ids = started.flatMap(({ job }) => job?.id ?? []);
    const dropped =
      args.cancel_with_client === true ? ids.map((id) => cancelWithClient(id, context)) : [];
    try {
      if (waitS > 0 && ids.length > 0) await waitForAll(ids, waitS, context);
    } finally {
      for (const each of dropped) each.dispose();
    }
    return answer(started, context);
  },
});

async function startEach(
  read: readonly BatchTask<z.infer<typeof taskSchema>>[],
  { bridge, caller, defaultCwd }: ToolContext,
): Promise<Started[]> {
  return Promise.all(
    read.map(async (task): Promise<Started> => {
      if (!task.ok) return { job: null, error: task.error };
      try {
        const job = await bridge.submit(fromWire(task.value) as JobRequest, caller, defaultCwd);
        return { job, error: null };
      } catch (error) {
        return { job: null, error: BridgeError.from(error) };
      }
    }),
  );
}

async function startAllOrNone(
  read: readonly BatchTask<z.infer<typeof taskSchema>>[],
  { bridge, caller, defaultCwd }: ToolContext,
): Promise<Started[]> {
  const requests = read.map((task) =>
    task.ok ? (fromWire(task.value) as JobRequest) : task.error,
  );
  const { jobs, errors } = await bridge.submitAll(requests, caller, defaultCwd);
  return errors.map((error, index) => ({ job: jobs[index] ?? null, error }));
}

async function waitForAll(
  ids: readonly string[],
  waitS: number,
  { bridge, signal, reportProgress }: ToolContext,
): Promise<void> {
  reportProgress(ids.map((id) => bridge.job(id)));
  await bridge.wait(ids, {
    mode: 'all',
    timeoutMs: waitS * 1000,
    signal,
    onProgress: (jobs) => reportProgress(jobs),
  });
}

function answer(started: readonly Started[], context: ToolContext): ToolAnswer {
  const { bridge, now } = context;
  const present = started.map(({ job, error }) => ({
    job: job === null ? null : bridge.job(job.id),
    error,
  }));
  const jobs = present.flatMap(({ job }) => job ?? []);
  const pending = jobs.filter((job) => !isOver(job)).map((job) => job.id);
  const succeeded = jobs.filter(isSuccess).length;
  const failed = present.length - succeeded - pending.length;
  const isNothingStarted = jobs.every((job) => job.status === 'refused');
  return {
    provenance: noModelProvenance(
      `${formatPlural(jobs.length, 'job')} of ${formatPlural(present.length, 'task')}, each with its own provenance · ${jobs.length - pending.length} ended`,
    ),
    fields: {
      batch_size: present.length,
      started: jobs.filter((job) => job.status !== 'refused').length,
      succeeded,
      failed,
      results: present.map(({ job, error }, index) => ({
        index,
        ...(job === null ? notStarted(error) : jobResult(job, bridge.queuePosition(job.id), now())),
      })),
      ...(pending.length === 0
        ? {}
        : { watch: watchCommand(bridge.stateDir, pending), watch_hint: WATCH_HINT }),
    },
    ...(isNothingStarted
      ? {
          error: {
            kind: present.find(({ error }) => error !== null)?.error?.kind ?? 'wrong_state',
            message: `No task of the batch was started: ${failed} of ${present.length} cannot run.`,
            hint: 'Each result says what is wrong with its task.',
          },
        }
      : {}),
    resourceUri: 'delegate://jobs',
  };
}

/** A task without an error of its own was held back by another one of an atomic batch. */
function notStarted(error: BridgeError | null): Record<string, unknown> {
  return error === null
    ? { ok: null, job_id: null, status: 'not started' }
    : {
        ok: false,
        job_id: null,
        status: 'not started',
        error: { ...error.details, kind: error.kind, message: error.message, hint: error.hint },
      };
}

function jobResult(job: JobRecord, position: number | null, now: Date): Record<string, unknown> {
  return {
    provenance: jobProvenance(job),
    ok: isOver(job) ? isSuccess(job) : null,
    job_id: job.id,
    ...jobSummary(job, now, position),
    ...(job.failure === null ? {} : { error: job.failure }),
    result: job.result,
    result_truncated: job.resultTruncated,
    warnings: job.warnings,
  };
}
