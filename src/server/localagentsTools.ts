import * as z from 'zod';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import { fromWire } from '../protocol/keys.ts';
import {
  completionProvenance,
  jobProvenance,
  noModelProvenance,
} from '../protocol/mcpProvenance.ts';
import { localagentsModels, localagentsProbe } from './localagentsModels.ts';
import { localagentsRecord } from './localagentsRecord.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';
import { isOver } from './toolAnswers.ts';
import { cancelJob } from './tools/cancelJob.ts';
import { jobLog } from './tools/jobLog.ts';
import { listModels } from './tools/listModels.ts';
import { registerEndpoint } from './tools/registerEndpoint.ts';
import { WATCH_HINT, watchCommand } from './watchCommand.ts';

/** Results are plain objects there: `error` is a word and `message` its sentence. */
const output = z.looseObject({ provenance: z.string(), message: z.string().optional() });
const jobId = z.string().min(1);
const NO_LIMIT_JOBS = 1_000;

/** The tools of the localagents server over the same engine, so that prompts and agents written for it keep working. */
export const localagentsTools: readonly Tool[] = [
  defineTool({
    ...listModels,
    output,
    input: z.strictObject({}),
    run: async (_args, { bridge, defaultCwd, signal }) => {
      const overview = await bridge.listModels({ cwd: defaultCwd, signal });
      return {
        provenance: noModelProvenance(`asked ${overview.endpoints.length} endpoints`),
        fields: localagentsModels(overview, defaultCwd),
      };
    },
  }),
  defineTool({
    ...registerEndpoint,
    output,
    input: z.strictObject({
      name: z.string().min(1),
      base_url: z.url({ protocol: /^https?$/ }),
      backend: z.string().optional(),
      host: z.string().optional(),
      notes: z.string().optional(),
    }),
    run: async ({ name, base_url: baseUrl, backend, host, notes }, { bridge, defaultCwd }) => {
      const entry = {
        baseUrl,
        // "other" was the default there and meant: find out.
        ...(backend === undefined || backend === 'other' ? {} : { backend }),
        ...(host === undefined ? {} : { host }),
        ...(notes === undefined ? {} : { notes }),
      };
      const { file, probe } = await bridge.endpoints.register(name, entry, defaultCwd);
      return {
        provenance: noModelProvenance(`wrote ${name} to ${file}`),
        fields: { endpoint: name, probe: localagentsProbe(probe), config: file },
      };
    },
  }),
  defineTool({
    name: 'run_agent',
    title: 'Run agent',
    description:
      'Starts a headless Claude Code session on a model of another endpoint. Write the brief for a capable but junior engineer: what to do, where, how to verify, what to report.',
    effect: 'write',
    isIdempotent: false,
    output,
    input: z.strictObject({
      task: z.string().min(1),
      model: z.string().optional(),
      endpoint: z.string().optional(),
      cwd: z.string().optional(),
      isolation: z.enum(['none', 'worktree']).optional().describe('Default none'),
      wait_s: z.number().min(0).optional(),
      permission_mode: z.string().optional(),
      max_turns: z.number().int().positive().optional(),
      allowed_tools: z.array(z.string()).optional(),
      system_prompt_append: z.string().optional(),
      resume_job: z.string().optional(),
      timeout_s: z.number().positive().optional(),
    }),
    run: async ({ wait_s: waitS = 0, ...request }, context) => {
      const asked = {
        runner: 'claude-code',
        // A resumed job goes on in its own folder; else that system's defaults hold: in place, 60 turns, half an hour.
        ...(request.resume_job === undefined ? { isolation: 'none' } : {}),
        max_turns: 60,
        timeout_s: 1800,
        ...request,
      };
      const job = await context.bridge.submit(
        fromWire(asked) as JobRequest,
        context.caller,
        context.defaultCwd,
      );
      const answer = summary(
        await waitFor([job], 'all', waitS, context).then(([first]) => first ?? job),
        context,
      );
      if (job.failure?.kind !== 'model_unavailable') return answer;
      const { guidance } = await context.bridge.listModels({
        cwd: context.defaultCwd,
        signal: context.signal,
      });
      return { ...answer, error: { ...job.failure, guidance } };
    },
  }),
  defineTool({
    name: 'wait_job',
    title: 'Wait for job',
    description: 'Waits for one job up to timeout_s and answers with its record either way.',
    effect: 'read',
    isIdempotent: true,
    output,
    input: z.strictObject({ job_id: jobId, timeout_s: z.number().min(0).optional() }),
    run: async ({ job_id: id, timeout_s: timeoutS = 120 }, context) => {
      const job = context.bridge.job(id);
      const [now] = await waitFor([job], 'all', timeoutS, context);
      return summary(now ?? job, context);
    },
  }),
  defineTool({
    name: 'wait_jobs',
    title: 'Wait for jobs',
    description: 'Waits until any or all of the jobs have ended. Call again on the rest.',
    effect: 'read',
    isIdempotent: true,
    output,
    input: z.strictObject({
      job_ids: z.array(jobId).min(1),
      mode: z.enum(['any', 'all']).optional(),
      timeout_s: z.number().min(0).optional(),
    }),
    run: async ({ job_ids: ids, mode = 'all', timeout_s: timeoutS = 120 }, context) => {
      const jobs = await waitFor(
        ids.map((id) => context.bridge.job(id)),
        mode,
        timeoutS,
        context,
      );
      const finished = jobs.filter(isOver);
      return {
        provenance: noModelProvenance(`${finished.length} of ${jobs.length} jobs ended`),
        fields: {
          mode,
          finished: finished.map((job) => job.id),
          pending: jobs.filter((job) => !isOver(job)).map((job) => job.id),
          jobs: jobs.map((job) => record(job, context)),
        },
        resourceUri: 'delegate://jobs',
      };
    },
  }),
  defineTool({
    name: 'job_status',
    title: 'Job status',
    description: 'The record of one job as it is now.',
    effect: 'read',
    isIdempotent: true,
    output,
    input: z.strictObject({ job_id: jobId }),
    run: async ({ job_id: id }, context) => summary(context.bridge.job(id), context),
  }),
  defineTool({
    name: 'list_jobs',
    title: 'List jobs',
    description: 'All jobs, newest last, without their results.',
    effect: 'read',
    isIdempotent: true,
    output,
    input: z.strictObject({ include_finished: z.boolean().optional() }),
    run: async ({ include_finished: isFinishedIncluded = true }, context) => {
      const jobs = context.bridge.list({ limit: NO_LIMIT_JOBS }).reverse();
      const shown = isFinishedIncluded ? jobs : jobs.filter((job) => !isOver(job));
      return {
        provenance: noModelProvenance(`${shown.length} jobs from the store`),
        fields: { jobs: shown.map((job) => ({ ...record(job, context), result: undefined })) },
        resourceUri: 'delegate://jobs',
      };
    },
  }),
  defineTool({
    ...jobLog,
    output,
    input: z.strictObject({ job_id: jobId, tail_lines: z.number().int().positive().optional() }),
    run: async ({ job_id: id, tail_lines: tailLines = 80 }, { bridge, ...context }) => {
      const answer = await jobLog.run(
        { job_id: id, tail_lines: tailLines },
        { bridge, ...context },
      );
      const job = bridge.job(id);
      return {
        provenance: answer.provenance,
        fields: {
          job_id: job.id,
          status: record(job, { ...context, bridge })['status'],
          log_dir: answer.fields['dir'],
          transcript: answer.fields['log'],
        },
        resourceUri: `delegate://jobs/${job.id}/transcript`,
      };
    },
  }),
  defineTool({
    ...cancelJob,
    output,
    input: z.strictObject({ job_id: jobId }),
    run: async ({ job_id: id }, context) => {
      const job = context.bridge.job(id);
      return summary(
        isOver(job) ? job : await context.bridge.cancel(job.id, context.caller),
        context,
      );
    },
  }),
  defineTool({
    name: 'local_complete',
    title: 'Complete',
    description: 'One plain request to a model: text in, text out, no tools and no files.',
    // Changes nothing here, and sends something out: no tool for an untrusted window.
    effect: 'write',
    isIdempotent: false,
    output,
    input: z.strictObject({
      prompt: z.string().min(1),
      model: z.string().optional(),
      endpoint: z.string().optional(),
      system: z.string().optional(),
      max_tokens: z.number().int().positive().optional(),
      temperature: z.number().min(0).optional(),
    }),
    run: async ({ max_tokens: maxTokens = 4096, ...args }, { bridge, defaultCwd, signal }) => {
      const { prompt, model, endpoint, system, temperature } = args;
      const done = await bridge.complete(
        {
          prompt,
          maxTokens,
          signal,
          ...(model === undefined ? {} : { model }),
          ...(endpoint === undefined ? {} : { endpoint }),
          ...(system === undefined ? {} : { system }),
          ...(temperature === undefined ? {} : { temperature }),
        },
        defaultCwd,
      );
      return {
        provenance: completionProvenance(done),
        fields: {
          model: done.modelServed,
          endpoint: done.endpoint,
          stop_reason: done.stopReason,
          usage: { input_tokens: done.usage.input, output_tokens: done.usage.output },
          text: done.text,
        },
      };
    },
  }),
];

function record(job: JobRecord, context: ToolContext): Record<string, unknown> {
  return localagentsRecord(job, context.bridge.stateDir);
}

function summary(job: JobRecord, context: ToolContext): ToolAnswer {
  return {
    provenance: jobProvenance(job),
    fields: {
      ...record(job, context),
      ...(isOver(job)
        ? {}
        : { watch: watchCommand(context.bridge.stateDir, [job.id]), watch_hint: WATCH_HINT }),
    },
    resourceUri: `delegate://jobs/${job.id}`,
  };
}

/** The jobs as they are when the wait is over, in the order given. */
async function waitFor(
  jobs: readonly JobRecord[],
  mode: 'any' | 'all',
  timeoutS: number,
  { bridge, signal, reportProgress }: ToolContext,
): Promise<JobRecord[]> {
  const ids = jobs.map((job) => job.id);
  const isDecided = mode === 'any' ? jobs.some(isOver) : jobs.every(isOver);
  if (timeoutS > 0 && !isDecided) {
    reportProgress(jobs.filter((job) => !isOver(job)));
    await bridge.wait(ids, {
      mode,
      timeoutMs: timeoutS * 1000,
      signal,
      onProgress: reportProgress,
    });
  }
  return ids.map((id) => bridge.job(id));
}
