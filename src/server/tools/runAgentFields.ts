import { jobRequestSchema, providerSchema } from '../../protocol/job.ts';

const field = jobRequestSchema.shape;

/** What a call may say of one job, here and in each task of a batch. */
export const runAgentFields = {
  task: field.task.describe(
    'The whole brief, for a capable but junior engineer who knows nothing of this conversation: what to do, where, how to verify it, what to report',
  ),
  kind: field.kind.describe('Family name for the statistics: tests, docs, refactor …'),
  runner: field.runner.describe('What drives the model; default claude-code'),
  agent: field.agent.describe('Agent definition whose instructions apply'),
  model: field.model.describe('Served id, glob or name as list_models shows it'),
  endpoint: field.endpoint.describe('Endpoint by its name in the configuration'),
  provider: providerSchema
    .optional()
    .describe('An endpoint that is not in the configuration, for this job alone'),
  policy: field.policy.describe('Where it may run; local-only never leaves local machines and LAN'),
  cwd: field.cwd.describe('Folder to work in; default: the workspace'),
  isolation: field.isolation.describe(
    'worktree: in a git worktree of its own, until accepted; none: in the folder itself',
  ),
  read_only: field.read_only.describe('The job may look and not change anything'),
  gate: field.gate.describe('Name of the check in the configuration that decides about the result'),
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
};
