import * as z from 'zod';
import { jobRecordSchema } from '../job.ts';

/** The answer of every tool that answers with one job. */
export const jobAnswer = z.object({ job: jobRecordSchema });
