import * as z from 'zod';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

export const registerEndpoint = defineTool({
  name: 'register_endpoint',
  title: 'Register endpoint',
  description:
    "Asks a model server what it is and writes it to the file beside the user's models.yaml that is made for this; the user's own file is not touched. Only for servers that the user has named.",
  effect: 'write',
  isIdempotent: true,
  input: z.strictObject({
    name: z.string().min(1).max(64),
    base_url: z.url({ protocol: /^https?$/ }).describe('Root of the server, without /v1'),
    backend: z
      .string()
      .optional()
      .describe('llama.cpp, vllm, ollama, …; default: found out by asking'),
    host: z.string().optional().describe('Where it runs, in words'),
    notes: z.string().optional(),
  }),
  output: answerSchema({
    endpoint: z.string(),
    file: z.string(),
    probe: z.looseObject({ state: z.enum(['up', 'down']) }),
  }),
  run: async ({ name, base_url: baseUrl, ...rest }, { bridge, defaultCwd }) => {
    const entry = {
      baseUrl,
      ...(rest.backend === undefined ? {} : { backend: rest.backend }),
      ...(rest.host === undefined ? {} : { host: rest.host }),
      ...(rest.notes === undefined ? {} : { notes: rest.notes }),
    };
    const { file, probe } = await bridge.endpoints.register(name, entry, defaultCwd);
    return {
      provenance: noModelProvenance(`wrote ${name} to ${file}; it is ${probe.state}`),
      fields: { endpoint: name, file, probe: toWire(probe) },
    };
  },
});
