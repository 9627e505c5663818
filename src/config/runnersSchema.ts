import * as z from 'zod';
import {
  countSchema,
  envNameSchema,
  lineSchema,
  secondsSchema,
  wordSchema,
} from './schemaParts.ts';

const percent = z.number().min(0).max(100);
const limit = (value: number, text: string) => countSchema.default(value).describe(text);
const seconds = (value: number, text: string) => secondsSchema.default(value).describe(text);
const stagger = (value: number) =>
  z
    .number()
    .nonnegative()
    .max(3600)
    .default(value)
    .describe('Least time between two starts, in seconds.');
const danger = () => z.boolean().default(false).describe('Allow its mode without a sandbox.');

const loopSchema = z.strictObject({
  max_turns: limit(25, 'Turns of a job.'),
  hard_max_turns: limit(40, 'Highest number of turns that a call may ask for.'),
  turn_timeout_s: seconds(1800, 'One attempt of one turn, in seconds.'),
  dispatch_timeout_s: seconds(3600, 'The whole job, in seconds, queueing not counted.'),
  max_tokens: limit(65_536, 'Output limit of a turn, in tokens.'),
  agents_dir: wordSchema.default('~/.claude/agents').describe('Folder of agent definitions.'),
  coding_model: lineSchema
    .default('')
    .describe('Model for coding agents; empty: the default model.'),
  nudges: z.number().int().nonnegative().default(1).describe('Reminders after an empty answer.'),
  bash: z.boolean().default(true).describe('Offer the shell tool.'),
  bash_timeout_s: seconds(120, 'Time limit of one command, in seconds.'),
  bash_concurrency: limit(4, 'Commands at once, over all jobs.'),
  stdout_cap: limit(12_000, 'Characters of standard output given to the model.'),
  stderr_cap: limit(4000, 'Characters of standard error given to the model.'),
  read_cap: limit(50_000, 'Characters of one file read.'),
  max_read_bytes: limit(67_108_864, 'Larger files are refused, in bytes.'),
  max_write_bytes: limit(8_388_608, 'Larger writes are refused, in bytes.'),
  max_batch: limit(12, 'Tasks in one batch.'),
  env_passthrough: z
    .array(envNameSchema)
    .default([])
    .describe('More environment variables for commands.'),
  provider_allowed_hosts: z
    .array(wordSchema)
    .default([])
    .describe('Hosts a call may name as provider.'),
  streaming: z.boolean().default(true).describe('Ask for answers as a stream.'),
});

const codexSchema = z.strictObject({
  bin: wordSchema.default('codex').describe('Program to start.'),
  model: lineSchema.default('gpt-6-luna').describe('Model to ask for.'),
  effort: lineSchema.default('low').describe('Reasoning effort.'),
  allow_danger: danger(),
  quota_warn_pct: percent
    .default(85)
    .describe('Warn above this share of the weekly quota, in percent.'),
  quota_refuse_pct: percent
    .nullable()
    .default(null)
    .describe('Refuse above this share of the weekly quota, in percent; null: never.'),
  sessions_dir: wordSchema.default('~/.codex/sessions').describe('Where codex keeps its sessions.'),
  max_concurrent: limit(8, 'Jobs at once.'),
  max_per_project: limit(6, 'Jobs at once in one project.'),
  max_queue: limit(32, 'Jobs that may wait.'),
  stagger_s: stagger(2.5),
  timeout_s: seconds(1800, 'Time limit of a job, in seconds.'),
});

const geminiSchema = z.strictObject({
  bin: wordSchema.default('agy').describe('Program to start.'),
  effort: lineSchema.default('low').describe('Reasoning effort.'),
  allow_danger: danger(),
  max_concurrent: limit(4, 'Jobs at once.'),
  max_queue: limit(32, 'Jobs that may wait.'),
});

const dshSchema = z.strictObject({
  launcher: wordSchema.default('dsh-herdr.sh').describe('Program to start.'),
  models_file: wordSchema
    .default('~/.config/delegation-bridge/dsh-models.json')
    .describe('Models that may be used; without the file everything is refused.'),
  max_concurrent: limit(2, 'Jobs at once.'),
  max_per_project: limit(2, 'Jobs at once in one project.'),
  max_queue: limit(16, 'Jobs that may wait.'),
  stagger_s: stagger(5),
  timeout_s: seconds(2400, 'Time limit of a job, in seconds.'),
});

/** The `runners` section. */
export const runnersSchema = z.strictObject({
  'claude-code': z
    .strictObject({ bin: wordSchema.default('claude').describe('Program to start.') })
    .prefault({})
    .describe('Claude Code, headless.'),
  loop: loopSchema.prefault({}).describe('The built-in tool loop.'),
  codex: codexSchema.prefault({}).describe('OpenAI Codex CLI.'),
  gemini: geminiSchema.prefault({}).describe('Gemini CLI.'),
  dsh: dshSchema.prefault({}).describe('The dsh launcher.'),
});
