import * as z from 'zod';
import { localitySchema } from '../job.ts';
import { probeSchema } from './probe.ts';

/** What answered at an address, and what would be written for it. */
export const triedEndpointSchema = z.object({
  /** As it would be written: the root of the server. */
  base_url: z.string(),
  /** A name that no endpoint of the configuration has; of one that is registered, its own. */
  suggested_name: z.string(),
  /** Name in the configuration, when one has this address already. */
  registered_as: z.string().nullable(),
  locality: localitySchema,
  place_warning: z.string().nullable(),
  probe: probeSchema,
  /** Wire formats that it speaks; empty: not known. */
  formats: z.array(z.string()),
  /** Whether a model called a tool when it was asked to; null: nobody was asked. */
  tools: z
    .object({ model: z.string(), answer: z.enum(['yes', 'no', 'unknown']), why: z.string() })
    .nullable(),
  /** The smallest entry that is right: the keys of models.yaml, in the order in which they would be written. */
  entry: z.array(z.object({ key: z.string(), value: z.string() })),
});
