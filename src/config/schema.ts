import * as z from 'zod';
import { defaultsSchema } from './defaultsSchema.ts';
import { endpointSchema } from './endpointSchema.ts';
import { modelFactsSchema } from './modelFactsSchema.ts';
import { runnersSchema } from './runnersSchema.ts';
import { modelPatternSchema, nameSchema } from './schemaParts.ts';
import {
  failoverSchema,
  fleetRoleSchema,
  gateSchema,
  ledgerSchema,
  poolSchema,
  retentionSchema,
  reviewSchema,
  routerSchema,
  worktreesSchema,
} from './sectionsSchema.ts';

/**
 * The one source of models.yaml: types, JSON Schema, example file and messages come from it.
 *
 * Keys keep the file's snake_case in TypeScript too, unlike the rest of the code: a message, a form field and the code
 * then name the same thing. The schema holds no transforms, so its input type is the type of one layer as written
 * (`ModelsFile`) and its output type is the whole with every default applied (`EffectiveConfig`).
 */
export const modelsFileSchema = z.strictObject({
  defaults: defaultsSchema.prefault({}).describe('What a job gets when its call does not say.'),
  endpoints: z
    .record(nameSchema, endpointSchema)
    .prefault({})
    .describe(
      'Places that serve models; the order is the priority. Models are never listed: they are probed.',
    ),
  pools: z
    .record(modelPatternSchema, poolSchema)
    .prefault({})
    .describe(
      'Slots by prefix of the model name, longest match wins; shared by all processes of this user.',
    ),
  failover: failoverSchema.prefault({}).describe('Who may stand in for whom.'),
  models: z
    .record(modelPatternSchema, modelFactsSchema)
    .prefault({})
    .describe('Optional facts about a name or glob, never a list of what exists.'),
  runners: runnersSchema.prefault({}).describe('Settings of what drives the models.'),
  gates: z
    .record(nameSchema, gateSchema)
    .prefault({})
    .describe('Executable checks; the exit status decides.'),
  review: reviewSchema.prefault({}).describe('When a person has to look.'),
  worktrees: worktreesSchema.prefault({}).describe('How worktrees are made.'),
  fleet: z
    .record(nameSchema, fleetRoleSchema)
    .prefault({})
    .describe('Roles for which agent definitions are generated.'),
  router: routerSchema
    .prefault({})
    .describe('The gateway in front of a whole Claude Code session.'),
  retention: retentionSchema.prefault({}).describe('How long finished and reviewed jobs are kept.'),
  ledger: ledgerSchema.prefault({}).describe('How the statistics are made.'),
  secrets: z
    .enum(['file', 'keychain'])
    .default('file')
    .describe(
      'Where ${secret:name} is read: a file of mode 0600, or the keychain of the system. Counts in your own models.yaml only.',
    ),
});

/** One layer as written: everything optional. */
export type ModelsFile = z.input<typeof modelsFileSchema>;

type Output = z.output<typeof modelsFileSchema>;

/** An endpoint with every default applied. `api_key`, `headers`, `env`, `proxy` still hold references, never values. */
export type EndpointConfig = Omit<Output['endpoints'][string], 'base_url'> & { base_url: string };
export type GateConfig = Omit<Output['gates'][string], 'run'> & { run: string };
export type ModelFacts = Output['models'][string];

/** All layers merged, every default applied; entries that lack what they need are left out and reported. */
export type EffectiveConfig = Omit<Output, 'endpoints' | 'gates'> & {
  endpoints: Record<string, EndpointConfig>;
  gates: Record<string, GateConfig>;
};
