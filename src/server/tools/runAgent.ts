import * as z from 'zod';
import { type JobRecord, jobRequestSchema, type JobRequest } from '../../protocol/job.ts';
import { fromWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { cancelWithClient } from '../cancelWithClient.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { isOver, JOB_FIELDS, jobOutcome } from '../toolAnswers.ts';

const field = jobRequestSchema.shape;

const input = z.strictObject({
  task: field.task.describe(
    'The whole brief, for a capable but junior engineer who knows nothing of this conversation: what to do, where, how to verify it, what to report',
  ),
  kind: field.kind.describe('Family name for the statistics: tests, docs, refactor …'),
  runner: field.runner.describe('What drives the model; default claude-code'),
  agent: field.agent.describe('Agent definition whose instructions apply'),
  model: field.model.describe('Served id, glob or name as list_models shows it'),
  endpoint: field.endpoint.describe('Endpoint by its name in the configuration'),
  policy: field.policy.describe('Where it may run; local-only never leaves local machines and LAN'),
  cwd: field.cwd.describe('Folder to work in; default: the workspace'),
  isolation: field.isolation.describe(
    'worktree: in a git worktree of its own, until accepted; none: in the folder itself',
  ),
  read_only: field.read_only.describe('The job may look and not change anything'),
  gate: field.gate.describe('Name of the check in the configuration that decides about the result'),
  wait_s: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .describe('Seconds to wait for the end; default 0: answer at once'),
  max_turns: field.max_turns,
  max_tokens: field.max_tokens,
  timeout_s: field.timeout_s.describe('Seconds the job may run'),
  effort: field.effort,
  sandbox: field.sandbox,
  permission_mode: field.permission_mode,
  allowed_tools: field.allowed_tools,
  system_prompt_append: field.system_prompt_append,
  resume_job: field.resume_job.describe('Job whose session, folder and model go on with this task'),
  repair_rounds: field.repair_rounds.describe(
    'How often a failed gate goes back to the same session',
  ),
  may_change: field.may_change.describe('Protected paths that this job may change'),
  from: field.from.describe('head: the last commit; working-tree: with the uncommitted changes'),
  cancel_with_client: field.cancel_with_client.describe(
    'Cancel the job when this call is cancelled',
  ),
});

export const runAgent = defineTool({
  name: 'run_agent',
  title: 'Run agent',
  description:
    'Hands one bounded task to a model that runs elsewhere and answers with the job. The result is a draft: look at it with job_diff, then accept_job or reject_job. With wait_s 0 run the command in "watch" in the background to hear of the end.',
  effect: 'write',
  isIdempotent: false,
  input,
  output: answerSchema({ ...JOB_FIELDS, guidance: z.string() }),
  run: async ({ wait_s: waitS = 0, ...request }, context) => {
    const { bridge, caller, defaultCwd } = context;
    let job = await bridge.submit(fromWire(request) as JobRequest, caller, defaultCwd);
    const dropped = request.cancel_with_client === true ? cancelWithClient(job.id, context) : null;
    try {
      if (waitS > 0 && !isOver(job)) job = await waitForJob(job, waitS, context);
    } finally {
      dropped?.dispose();
    }
    const answer = jobOutcome(job, context);
    if (answer.error?.kind !== 'model_unavailable') return answer;
    const { guidance } = await bridge.listModels({
      cwd: request.cwd ?? defaultCwd,
      signal: context.signal,
    });
    return {
      ...answer,
      error: { ...answer.error, guidance },
      fields: { guidance, ...answer.fields },
    };
  },
});

async function waitForJob(job: JobRecord, waitS: number, context: ToolContext): Promise<JobRecord> {
  context.reportProgress([job]);
  await context.bridge.wait([job.id], {
    mode: 'all',
    timeoutMs: waitS * 1000,
    signal: context.signal,
    onProgress: context.reportProgress,
  });
  return context.bridge.job(job.id);
}
