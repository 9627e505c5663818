import * as z from 'zod';
import { policySchema } from '../protocol/job.ts';
import { countSchema, lineSchema, secondsSchema, wordSchema } from './schemaParts.ts';

/** The `defaults` section: what a job gets when its call does not say. */
export const defaultsSchema = z.strictObject({
  model: lineSchema
    .default('')
    .describe('Served id, glob or fuzzy name; empty: the first served model.')
    .meta({ examples: ['qwen3.8-27b'] }),
  runner: z.enum(['claude-code', 'loop']).default('claude-code').describe('What drives the model.'),
  policy: policySchema
    .default('prefer-local')
    .describe(
      'Where jobs may run. Cloud is reached only by name or by a declared chain, never by default.',
    ),
  isolation: z
    .enum(['worktree', 'none'])
    .default('worktree')
    .describe('worktree: in a git worktree of its own; none: in the checkout.'),
  permission_mode: z
    .enum(['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'])
    .default('acceptEdits')
    .describe('Permission mode of claude-code.'),
  allowed_tools: z
    .array(wordSchema)
    .default(['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Bash', 'WebFetch'])
    .describe('Tools a job may use. WebFetch and WebSearch fall away under local-only.'),
  disallowed_tools: z
    .array(wordSchema)
    .default(['Agent', 'Task'])
    .describe('Tools a job never gets.'),
  setting_sources: z
    .array(z.enum(['user', 'project', 'local']))
    .default(['project', 'local'])
    .describe("Which of Claude Code's settings files a job reads."),
  max_turns: countSchema
    .default(60)
    .describe('Turns of a claude-code job; the loop runner has its own limit.'),
  timeout_s: secondsSchema
    .default(1800)
    .describe('Time limit of a job, in seconds, queueing not counted.'),
  idle_timeout_s: secondsSchema
    .default(600)
    .describe('Seconds without a token, tool or progress event before a job is ended.'),
  probe_timeout_s: z
    .number()
    .positive()
    .max(120)
    .default(2.5)
    .describe('The whole probe of one endpoint, in seconds.'),
  system_prompt_append: z
    .string()
    .default('')
    .describe('Text added to the system prompt of every job.'),
  dump_requests: z
    .boolean()
    .default(false)
    .describe('Keep every request in full in the folder of the job.'),
});
