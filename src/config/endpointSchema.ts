import * as z from 'zod';
import { localitySchema } from '../protocol/job.ts';
import {
  countSchema,
  envMapSchema,
  lineSchema,
  modelPatternSchema,
  wordSchema,
} from './schemaParts.ts';

const REFERENCE_NOTE =
  'Use ${env:NAME} or ${secret:name}; the value itself does not belong in the file.';

export const backendSchema = z.enum([
  'llama.cpp',
  'vllm',
  'ollama',
  'lmstudio',
  'litellm',
  'bifrost',
  'anthropic',
  'openai',
  'other',
]);
export type Backend = z.infer<typeof backendSchema>;

const baseUrlSchema = wordSchema.refine(
  isHttpUrl,
  'must be an address such as http://127.0.0.1:8080',
);

/** One entry of `endpoints`. `base_url` may be missing in one layer when another layer has it; see load.ts. */
export const endpointSchema = z.strictObject({
  base_url: baseUrlSchema
    .optional()
    .describe('Address of the server, without /v1. Needed, here or in the sidecar.')
    .meta({ examples: ['http://127.0.0.1:8080'] }),
  backend: backendSchema
    .default('other')
    .describe('The kind of server; "other" lets the probe find out.'),
  format: z
    .enum(['auto', 'anthropic', 'openai'])
    .default('auto')
    .describe('Wire format. auto: by backend, then by probing, then by the name of the model.'),
  locality: z
    .enum(['auto', ...localitySchema.options])
    .default('auto')
    .describe(
      'Where it runs. auto: by resolved address; gateways (litellm, bifrost) and models named *:cloud are unknown unless declared here.',
    ),
  api_key: z
    .union([lineSchema, z.record(modelPatternSchema, lineSchema)])
    .default('')
    .describe(`Key of the server, or one key for each model pattern. ${REFERENCE_NOTE}`)
    .meta({ examples: ['${env:LLAMA_KEY}'] }),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not the name of a header'),
      lineSchema,
    )
    .default({})
    .describe(`Headers added to every request. ${REFERENCE_NOTE}`),
  env: envMapSchema
    .default({})
    .describe('Environment variables added to claude-code sessions on this endpoint.'),
  host: lineSchema.default('').describe('A label for the machine; only shown.'),
  notes: z.string().default('').describe('Free text; only shown.'),
  tls: z
    .strictObject({
      ca: lineSchema
        .default('')
        .describe('File with the certificate authority, relative to this file.'),
      insecure: z.boolean().default(false).describe('Accept any certificate. Only for a test.'),
    })
    .prefault({})
    .describe('How the certificate of an https address is checked.'),
  proxy: lineSchema
    .default('')
    .describe(`Proxy for this endpoint. ${REFERENCE_NOTE}`)
    .meta({ examples: ['${env:HTTPS_PROXY}'] }),
  max_concurrent: z
    .union([z.literal('auto'), countSchema])
    .default('auto')
    .describe(
      'Jobs at once. auto: the slots that it reports, no limit for vLLM, gateways and cloud, else 1.',
    ),
  memory_floor_gb: z
    .union([z.literal('auto'), z.number().nonnegative()])
    .default('auto')
    .describe(
      'Start no job when this machine serves and has less memory available, in GB. auto: min(16, a quarter of its memory), off for remote machines.',
    ),
  exclusive_group: lineSchema
    .default('')
    .describe('Only one endpoint of a group may be busy at a time.')
    .meta({ examples: ['gpu0'] }),
});

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
  );
}
