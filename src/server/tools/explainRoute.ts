import * as z from 'zod';
import {
  consideredSchema,
  failureSchema,
  jobRequestSchema,
  type JobRequest,
} from '../../protocol/job.ts';
import { fromWire, toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

const { model, endpoint, policy, runner, agent, kind, cwd } = jobRequestSchema.shape;

export const explainRoute = defineTool({
  name: 'explain_route',
  title: 'Explain route',
  description:
    'Which endpoint and model a run_agent call with these fields would get, by which rule, and why every other candidate was passed over. Starts nothing.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({ model, endpoint, policy, runner, agent, kind, cwd }),
  output: answerSchema({
    rule: z.string().nullable(),
    endpoint: z.string().nullable(),
    model: z.string().nullable(),
    pool: z.string().nullable(),
    policy: z.string(),
    considered: z.array(consideredSchema),
    failure: failureSchema.nullable(),
    warnings: z.array(z.string()),
  }),
  run: async (args, { bridge, defaultCwd }) => {
    // The decision never reads the brief; the engine's request type wants one.
    const request = fromWire({ ...args, task: 'explain' }) as JobRequest;
    const { ok, ...route } = await bridge.explainRoute(request, defaultCwd);
    const target = ok
      ? `would go to ${route.model ?? 'whatever model answers'} at ${route.endpoint ?? 'no endpoint'} by rule ${route.rule ?? 'none'}`
      : 'there is no place for it';
    const failure = route.failure ?? {
      kind: 'model_unavailable',
      message: 'No candidate may run this.',
      hint: '',
    };
    return {
      provenance: noModelProvenance(target),
      fields: toWire(route) as Record<string, unknown>,
      ...(ok ? {} : { error: failure }),
    };
  },
});
