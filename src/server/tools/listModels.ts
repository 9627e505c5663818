import * as z from 'zod';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';

export const listModels = defineTool({
  name: 'list_models',
  title: 'List models',
  description:
    'Which endpoints there are, what each serves right now, whether it is up and why not, with context window, free slots and warnings. Call it before run_agent and say which served model you are going to use.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    cwd: z
      .string()
      .optional()
      .describe('Folder whose configuration counts; default: the workspace'),
  }),
  output: answerSchema({
    config_file: z.string(),
    is_configured: z
      .boolean()
      .describe('False while nothing names an endpoint: the listed one is a guess'),
    configured: z.array(z.string()).describe('Names of all endpoints of the configuration'),
    is_probed: z
      .boolean()
      .describe('False in restricted mode: no endpoint was asked, so "endpoints" is empty'),
    untrusted: z
      .array(z.string())
      .describe('Files of the repository that count only after the user has run "delegate trust"'),
    default_model: z.string().nullable(),
    endpoints: z.array(z.looseObject({ name: z.string(), base_url: z.string() })),
    pools: z.array(z.looseObject({ name: z.string(), slots: z.number(), in_use: z.number() })),
    guidance: z.string(),
  }),
  run: async ({ cwd }, { bridge, defaultCwd, signal }) => {
    const overview = await bridge.listModels({ cwd: cwd ?? defaultCwd, signal });
    const { endpoints } = overview;
    const up = endpoints.filter((endpoint) => endpoint.probe.state === 'up').length;
    return {
      provenance: noModelProvenance(
        overview.isProbed
          ? `asked ${formatPlural(endpoints.length, 'endpoint')}, ${up} up`
          : 'restricted mode: no endpoint was asked either',
      ),
      fields: {
        guidance: overview.guidance,
        config_file: overview.configFile,
        is_configured: overview.isConfigured,
        configured: overview.configured,
        is_probed: overview.isProbed,
        untrusted: overview.untrusted,
        default_model: overview.defaultModel,
        endpoints: toWire(endpoints),
        pools: toWire(overview.pools),
      },
      problems: overview.problems,
      resourceUri: 'delegate://endpoints',
    };
  },
});
