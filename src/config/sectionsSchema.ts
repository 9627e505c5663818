import * as z from 'zod';
import {
  countSchema,
  lineSchema,
  modelPatternSchema,
  secondsSchema,
  wordSchema,
} from './schemaParts.ts';

const waitSeconds = z.number().nonnegative().max(86_400);

export const poolSchema = z.strictObject({
  slots: countSchema.default(6).describe('Jobs at once, over all processes of this user.'),
});

export const failoverSchema = z.strictObject({
  when: z
    .array(z.enum(['pool_full', 'error']))
    .default(['pool_full'])
    .describe(
      'pool_full: no free place; error: 5xx, connect or exhausted 429, before the first token of a turn, and an endpoint that is paused for it.',
    ),
  primary_wait_s: waitSeconds
    .default(0)
    .describe('How long the model asked for is waited for first, in seconds.'),
  grace_s: waitSeconds.default(10).describe('How long each stand-in is waited for, in seconds.'),
  pinned: z
    .array(modelPatternSchema)
    .default(['local-', 'ornith', 'codex', 'gpt-'])
    .describe('Prefixes of models that are never replaced and never a replacement.'),
  chains: z
    .record(modelPatternSchema, z.array(modelPatternSchema))
    .default({})
    .describe('Who may stand in for whom, in order.')
    .meta({ examples: [{ 'deepseek-v4-flash': ['qwen-3-8-max'] }] }),
});

export const gateSchema = z.strictObject({
  run: wordSchema
    .optional()
    .describe('Command whose exit status decides.')
    .meta({ examples: ['npm test'] }),
  timeout_s: secondsSchema.default(600).describe('Time limit, in seconds.'),
  kind: wordSchema
    .default('tests')
    .describe('What it proves (tests, syntax, …); shown on the receipt.'),
  protect: z
    .array(wordSchema)
    .default([])
    .describe('Globs of files that a job may not change; a change makes the result "tampered".')
    .meta({ examples: [['test/**', 'package.json']] }),
  baseline: z.boolean().default(false).describe('Also run on the base, once for each commit.'),
});

export const reviewSchema = z.strictObject({
  required_for: z
    .array(wordSchema)
    .default([])
    .describe('Globs of files for which a passed gate is not enough.')
    .meta({ examples: [['src/auth/**']] }),
  keep_rejected_days: z
    .number()
    .nonnegative()
    .max(36_500)
    .default(14)
    .describe('How long a rejected result can be brought back, in days.'),
});

export const worktreesSchema = z.strictObject({
  base_dir: wordSchema
    .default('auto')
    .describe('Where worktrees are made; auto: the state folder. Outside the repository.'),
  include: z
    .union([z.enum(['auto', 'none']), z.array(wordSchema)])
    .default('auto')
    .describe(
      "Ignored files to copy. auto: .worktreeinclude, then VS Code's git.worktreeIncludeFiles.",
    ),
  submodules: z
    .union([z.enum(['auto', 'none']), z.boolean()])
    .default('auto')
    .describe('Whether submodules are checked out in a worktree.'),
  setup: lineSchema
    .default('')
    .describe('Command run in a new worktree; in trusted workspaces only.')
    .meta({ examples: ['npm ci'] }),
});

export const fleetRoleSchema = z.strictObject({
  model: wordSchema
    .optional()
    .describe('Model of the role.')
    .meta({ examples: ['qwen3.8-27b'] }),
  endpoint: wordSchema
    .optional()
    .describe('Endpoint of the role.')
    .meta({ examples: ['llamacpp'] }),
  description: z.string().default('').describe('When to use it.'),
  tools: z
    .array(wordSchema)
    .optional()
    .describe('Tools of the role.')
    .meta({ examples: [['Read', 'Grep']] }),
  prompt: z.string().default('').describe('System prompt of the role.'),
});

export const routerSchema = z.strictObject({
  listen: wordSchema.default('127.0.0.1:3737').describe('Address and port to listen on.'),
  anthropic: wordSchema
    .default('https://api.anthropic.com')
    .describe('Where Anthropic models are sent.'),
  body_limit_mb: z.number().positive().max(1024).default(64).describe('Largest request, in MB.'),
  rate_limit_per_min: countSchema.default(600).describe('Requests in a minute.'),
  token: lineSchema
    .default('')
    .describe('Needed as soon as it listens beyond loopback. Use ${secret:name}.')
    .meta({ examples: ['${secret:router}'] }),
});

export const retentionSchema = z.strictObject({
  days: z
    .number()
    .positive()
    .max(36_500)
    .default(90)
    .describe('Age after which finished and reviewed jobs go, in days.'),
  max_gb: z
    .number()
    .positive()
    .default(5)
    .describe('Size above which the oldest of them go, in GB.'),
});

export const ledgerSchema = z.strictObject({
  redone_window_min: z
    .number()
    .nonnegative()
    .default(60)
    .describe('Window in which the same files changed again count as redone, in minutes.'),
});
