import * as z from 'zod';
import { jobStatusSchema } from '../../protocol/job.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobSummary, jobSummarySchema } from '../../protocol/mcpJobSummary.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_LIMIT = 20;

export const listJobs = defineTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Jobs of all clients on this machine, newest first, one row each.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    statuses: z.array(jobStatusSchema).optional().describe('Default: all'),
    cwd: z.string().optional().describe('Only jobs of the repository that holds this folder'),
    limit: z.number().int().min(1).max(200).optional().describe(`Default ${DEFAULT_LIMIT}`),
  }),
  output: answerSchema({ jobs: z.array(jobSummarySchema), may_have_more: z.boolean() }),
  run: async ({ statuses, cwd, limit = DEFAULT_LIMIT }, { bridge, now }) => {
    const found = bridge.list({
      ...(statuses === undefined ? {} : { statuses }),
      ...(cwd === undefined ? {} : { cwd }),
      limit: limit + 1,
    });
    const jobs = found.slice(0, limit);
    return {
      provenance: noModelProvenance(`${formatPlural(jobs.length, 'job')} from the store`),
      fields: {
        may_have_more: found.length > limit,
        jobs: jobs.map((job) => jobSummary(job, now(), bridge.queuePosition(job.id))),
      },
      resourceUri: 'delegate://jobs',
    };
  },
});
