import * as z from 'zod';
import { localitySchema } from '../job.ts';
import { probeSchema } from '../ui/probe.ts';
import { poolUseSchema } from '../ui/slotUse.ts';

/** What only the endpoints, the store and the secret store know, as the extension was last told. Names of secrets, never a value. */
export const liveFactsSchema = z.object({
  /** When the endpoints were asked, RFC 3339; null: nobody has asked yet, and nothing below may be shown as live. */
  asked_at: z.string().nullable(),
  /** Why there is nothing newer; empty: what is here is the last word. */
  trouble: z.string(),
  endpoints: z.array(
    z.object({
      name: z.string(),
      /** The address that was asked. A document that says another one knows nothing about it. */
      base_url: z.string(),
      locality: localitySchema,
      in_use: z.number(),
      max_concurrent: z.number().nullable(),
      probe: probeSchema,
    }),
  ),
  pools: z.array(poolUseSchema),
  /** Null: not known. */
  secrets: z.array(z.string()).nullable(),
});
export type LiveFacts = z.infer<typeof liveFactsSchema>;
