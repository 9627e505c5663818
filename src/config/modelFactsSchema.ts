import * as z from 'zod';
import { countSchema, wordSchema } from './schemaParts.ts';

const price = z.number().nonnegative().optional();

/** One entry of `models`: facts about a name or glob, never a list of what exists. */
export const modelFactsSchema = z.strictObject({
  format: z
    .enum(['anthropic', 'openai'])
    .optional()
    .describe('Wire format on a gateway that speaks both.'),
  context_window: countSchema
    .optional()
    .describe('Context window in tokens, when the server does not report it.')
    .meta({ examples: [131_072] }),
  answers_as: z
    .array(wordSchema)
    .optional()
    .describe(
      'Names under which a gateway answers for this alias; such an answer is not a fallback.',
    )
    .meta({ examples: [['glm-5.2']] }),
  max_tokens: countSchema
    .optional()
    .describe('Output limit asked for, in tokens.')
    .meta({ examples: [150_000] }),
  max_tokens_cap: countSchema
    .optional()
    .describe('Highest output limit that the model takes, in tokens.')
    .meta({ examples: [131_072] }),
  resend_reasoning: z.boolean().optional().describe('Send the reasoning of earlier turns back.'),
  prompt_cache: z.enum(['anthropic', 'none']).optional().describe('Marks for prompt caching.'),
  billing: z.enum(['flat', 'metered']).optional().describe('How it is paid for.'),
  input_per_mtok: price.describe('Price of a million input tokens.').meta({ examples: [0.3] }),
  output_per_mtok: price.describe('Price of a million output tokens.').meta({ examples: [1.2] }),
  cache_read_per_mtok: price
    .describe('Price of a million cached input tokens.')
    .meta({ examples: [0.03] }),
  cache_write_per_mtok: price
    .describe('Price of a million tokens written to the cache.')
    .meta({ examples: [0.3] }),
  priced_on: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-01')
    .optional()
    .describe('Date of the prices.'),
});
