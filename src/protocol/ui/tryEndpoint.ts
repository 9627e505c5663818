import * as z from 'zod';
import { localitySchema } from '../job.ts';
import { probeSchema } from './probe.ts';

/** What answers at an address, before anything is written. */
export const tryEndpoint = {
  input: z.strictObject({ base_url: z.string().min(1) }),
  output: z.object({
    /** As it would be written: the root of the server. */
    base_url: z.string(),
    locality: localitySchema,
    place_warning: z.string().nullable(),
    registered_as: z.string().nullable(),
    probe: probeSchema,
  }),
};
