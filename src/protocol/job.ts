import * as z from 'zod';
import type { CamelKeys } from './keys.ts';

/** The record of one job as it stands on disk and wire. Unknown is null: never 0, never a copy of what was asked for. */

export const JOB_STATUSES = [
  'queued',
  'starting',
  'running',
  'gating',
  'done',
  'failed',
  'timeout',
  'cancelled',
  'lost',
  'refused',
] as const;
export const jobStatusSchema = z.enum(JOB_STATUSES);
export type JobStatus = (typeof JOB_STATUSES)[number];

export const runnerNameSchema = z.enum([
  'claude-code',
  'loop',
  'codex',
  'gemini',
  'dsh',
  'complete',
]);
export type RunnerName = z.infer<typeof runnerNameSchema>;

export const policySchema = z.enum(['local-only', 'prefer-local', 'any']);
export type Policy = z.infer<typeof policySchema>;

export const localitySchema = z.enum(['local', 'lan', 'rented', 'cloud', 'unknown']);
export type Locality = z.infer<typeof localitySchema>;

const queueReasonSchema = z.enum([
  'pool_full',
  'endpoint_busy',
  'global_cap',
  'project_cap',
  'adaptive_cap',
  'workspace_busy',
  'cooldown',
  'auth_failed',
  'memory',
  'exclusive_group',
  'stagger',
]);
export type QueueReason = z.infer<typeof queueReasonSchema>;

const time = z.string().describe('RFC 3339, UTC');
const count = z.number().int().nonnegative();

const usageSchema = z.object({
  input: count.nullable(),
  output: count.nullable(),
  cache_read: count.nullable(),
  cache_write: count.nullable(),
});

export const failureSchema = z.object({
  kind: z.string(),
  message: z.string(),
  hint: z.string(),
});

/** One candidate that route() looked at; `reason` says why it was passed over, null for the one taken. */
export const consideredSchema = z.object({
  endpoint: z.string(),
  model: z.string().nullable(),
  reason: z.string().nullable(),
});

export const changedFileSchema = z.object({
  path: z.string(),
  old_path: z.string().nullable(),
  /** `ignored`: output that git ignores; `nested`: a repository of its own inside the tree. */
  change: z.enum([
    'added',
    'modified',
    'deleted',
    'renamed',
    'mode',
    'type',
    'submodule',
    'ignored',
    'nested',
  ]),
  additions: count.nullable(),
  deletions: count.nullable(),
  binary: z.boolean(),
  old_mode: z.string().nullable(),
  new_mode: z.string().nullable(),
});

const worktreeSchema = z.object({
  id: z.string(),
  root: z.string(),
  branch: z.string().nullable(),
  base: z.string(),
  kept: z.boolean(),
  note: z.string().nullable(),
  setup: z.object({ command: z.string(), exit: z.number().int().nullable() }).nullable(),
  included: z.array(z.string()),
});

const gateResultSchema = z.object({
  name: z.string(),
  kind: z.string(),
  status: z.enum(['passed', 'failed', 'tampered', 'none']),
  base: z.enum(['red', 'green', 'unknown']),
  covers: z.enum(['exact', 'edited', 'merged']),
  exit: z.number().int().nullable(),
  duration_s: z.number().nullable(),
  tail: z.string(),
  /** Protected paths that the job changed; with leave (`may_change`) the gate still ran. */
  protected_changed: z.array(z.string()),
});

export const reviewSchema = z.object({
  status: z.enum(['pending', 'accepted', 'partly', 'rejected', 'abandoned', 'none']),
  /** `person:vscode`, `person:cli` or `agent:<client>`. */
  by: z.string().nullable(),
  at: time.nullable(),
  /** Those that were accepted. */
  files: z.array(z.string()),
  /** Those that were rejected alone: left out when the rest is accepted. Records of earlier versions have none. */
  dropped: z.array(z.string()).default([]),
});

export const jobRecordSchema = z.object({
  id: z.string(),
  task: z.string(),
  runner: runnerNameSchema,
  agent: z.object({ name: z.string(), source: z.string() }).nullable(),
  preset: z.object({ name: z.string(), hash: z.string() }).nullable(),
  kind: z.string().nullable(),
  client: z.object({
    name: z.string(),
    session: z.string().nullable(),
    pid: z.number().int().nullable(),
  }),
  policy: policySchema,
  model_requested: z.string().nullable(),
  endpoint: z.string().nullable(),
  base_url: z.string().nullable(),
  locality: localitySchema.nullable(),
  model_served: z.string().nullable(),
  route: z.object({ rule: z.string(), considered: z.array(consideredSchema) }).nullable(),
  fallback: z.object({ from: z.string(), to: z.string(), reason: z.string() }).nullable(),
  cwd: z.string(),
  run_cwd: z.string().nullable(),
  isolation: z.enum(['worktree', 'none']),
  read_only: z.boolean(),
  worktree: worktreeSchema.nullable(),
  status: jobStatusSchema,
  queue_reason: queueReasonSchema.nullable(),
  failure: failureSchema.nullable(),
  created_at: time,
  queued_s: z.number().nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  elapsed_s: z.number().nullable(),
  last_activity: z.object({ at: time, text: z.string() }).nullable(),
  turns: count.nullable(),
  tool_calls: count,
  context: z.object({ window: count.nullable(), used: count.nullable() }),
  speed_tps: z.number().nullable(),
  usage: usageSchema,
  server_metrics: z
    .object({
      shared: z.boolean(),
      prompt_tokens_processed: z.number().nullable(),
      prompt_tokens_cached: z.number().nullable(),
      generated_tokens: z.number().nullable(),
      cache_hit_ratio: z.number().nullable(),
      prompt_tps: z.number().nullable(),
      generate_tps: z.number().nullable(),
      spec_decode_acceptance: z.number().nullable(),
    })
    .nullable(),
  files_changed: z.array(changedFileSchema),
  files_claimed: z.array(z.string()),
  commands: z.object({ run: count, failed: count, last_exit: z.number().int().nullable() }),
  session_id: z.string().nullable(),
  exit_code: z.number().int().nullable(),
  retry: z.object({ count, in_s: z.number().nullable() }),
  result: z.string().nullable(),
  result_truncated: z.boolean(),
  result_bytes: count.nullable(),
  client_usage: usageSchema,
  stop_reason: z.string().nullable(),
  repair_rounds: count,
  gate: gateResultSchema.nullable(),
  review: reviewSchema,
  proof: z.object({ requests: count, endpoint: z.string() }).nullable(),
  network: z.enum(['jailed', 'not jailed']),
  /** Config, hooks, stash or refs of the user's repository that the job touched and the bridge put back. */
  tampered: z.array(z.string()),
  resumed_from: z.string().nullable(),
  attempts: z.array(
    z.object({
      endpoint: z.string().nullable(),
      model: z.string().nullable(),
      failure: failureSchema.nullable(),
    }),
  ),
  warnings: z.array(z.string()),
  host: z.object({
    pid: z.number().int().nullable(),
    started_at: time.nullable(),
    alive: z.boolean(),
  }),
});

type JobRecordWire = z.infer<typeof jobRecordSchema>;
export type JobRecord = CamelKeys<JobRecordWire>;
export type Usage = CamelKeys<z.infer<typeof usageSchema>>;
export type Failure = z.infer<typeof failureSchema>;
export type ChangedFile = CamelKeys<z.infer<typeof changedFileSchema>>;
export type WorktreeRecord = CamelKeys<z.infer<typeof worktreeSchema>>;
export type GateResult = CamelKeys<z.infer<typeof gateResultSchema>>;
export type ServerMetrics = NonNullable<JobRecord['serverMetrics']>;
export type Considered = z.infer<typeof consideredSchema>;

/** An endpoint named by its address, for one job. A key is a reference: values would stand in the transcript of the client. */
export const providerSchema = z.strictObject({
  url: z.string().min(1).describe('Address, such as https://host/v1/messages'),
  model: z.string().min(1).describe('Model as the provider names it'),
  api_key: z.string().optional().describe('${env:NAME} or ${secret:name}'),
  format: z
    .enum(['anthropic', 'openai'])
    .optional()
    .describe('Wire format where the address does not say it'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string())
    .optional()
    .describe('Headers of every request, their values by reference'),
});

/** What a caller asked for, after validation; kept with the job so that any process can start it. */
export const jobRequestSchema = z.object({
  task: z.string().min(1),
  kind: z.string().optional(),
  runner: runnerNameSchema.optional(),
  agent: z.string().optional(),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  provider: providerSchema
    .extend({
      /** A key that was given as such: taken out before anything is kept. */
      literal_key: z.string().optional(),
      is_key_given: z.boolean().optional(),
    })
    .optional(),
  policy: policySchema.optional(),
  cwd: z.string().optional(),
  isolation: z.enum(['worktree', 'none']).optional(),
  read_only: z.boolean().optional(),
  gate: z.string().optional(),
  max_turns: z.number().int().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  timeout_s: z.number().positive().optional(),
  effort: z.string().optional(),
  sandbox: z.boolean().optional(),
  permission_mode: z.string().optional(),
  allowed_tools: z.array(z.string()).optional(),
  system_prompt_append: z.string().optional(),
  resume_job: z.string().optional(),
  repair_rounds: z.number().int().min(0).max(10).optional(),
  may_change: z.array(z.string()).optional(),
  from: z.enum(['head', 'working-tree']).optional(),
  cancel_with_client: z.boolean().optional(),
});
type JobRequestWire = z.infer<typeof jobRequestSchema>;
export type JobRequest = CamelKeys<JobRequestWire>;
