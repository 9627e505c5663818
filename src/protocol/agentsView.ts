import * as z from 'zod';
import { failureSchema } from './job.ts';
import type { CamelKeys } from './keys.ts';

const sourceSchema = z.enum(['project-agent', 'project-skill', 'global']);

const agentFindingSchema = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string().describe('Stable word to branch on'),
  range: z.object({
    line: z.number().int().describe('From 1; 0 when the finding has no place in the text'),
    column: z.number().int(),
    end_line: z.number().int(),
    end_column: z.number().int(),
  }),
  message: z.string(),
  hint: z.string().describe('What to do; empty when the message says it'),
  replacement: z
    .object({ found: z.string(), replace: z.string() })
    .optional()
    .describe('A word of the file, and what was probably meant'),
});

const agentSchema = z.object({
  name: z.string(),
  source: sourceSchema,
  path: z.string(),
  description: z.string(),
  is_usable: z.boolean().describe('False: a call that names it fails'),
  shadowed_by: z
    .string()
    .nullable()
    .describe('File of the same name that wins; null: this one is found'),
  declared_model: z.string().nullable().describe('"model:" of the file; it does not count here'),
  runner: z.literal('loop').describe('The runner that takes agent definitions'),
  model: z.string().nullable().describe('Name that is looked for; null: the first served model'),
  model_rule: z.enum(['call', 'coding-model', 'default-model', 'first-served']),
  tools: z.array(z.string()).describe('Tools that a job which may write is offered'),
  findings: z.array(agentFindingSchema),
});

/** Where a job for a name of a model would go right now. */
const agentRouteSchema = z.object({
  model: z.string().nullable().describe('The name that is looked for, as in the agents'),
  endpoint: z.string().nullable(),
  served_model: z.string().nullable(),
  failure: failureSchema.nullable().describe('Why no endpoint takes it'),
});

/** Agent and skill definitions by tier, and what each would really get. */
export const agentsViewFields = {
  folder: z.string(),
  agents: z.array(agentSchema),
  folders: z.array(
    z.object({
      source: sourceSchema,
      path: z.string(),
      state: z.enum(['read', 'missing', 'unreadable']),
      skipped: z.array(z.object({ path: z.string(), why: z.string() })),
    }),
  ),
  is_routed: z.boolean().describe('False: no endpoint was asked, so "routes" is empty'),
  routes: z.array(agentRouteSchema),
};

export type AgentsView = CamelKeys<z.infer<z.ZodObject<typeof agentsViewFields>>>;
export type AgentView = AgentsView['agents'][number];
