import * as z from 'zod';
import { sanitiseText } from '../../base/sanitise.ts';
import { jobStatusSchema } from '../../protocol/job.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_TAIL_LINES = 80;

export const jobLog = defineTool({
  name: 'job_log',
  title: 'Job log',
  description: 'The last lines of what a job did: its transcript, or the output of its gate.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    job_id: z.string().min(1),
    tail_lines: z
      .number()
      .int()
      .min(1)
      .max(5000)
      .optional()
      .describe(`Default ${DEFAULT_TAIL_LINES}`),
    what: z
      .enum(['transcript', 'events', 'gate', 'requests', 'host'])
      .optional()
      .describe('Default transcript'),
  }),
  output: answerSchema({
    job_id: z.string(),
    status: jobStatusSchema,
    dir: z.string(),
    log: z.string(),
    log_truncated: z.boolean().describe('There are earlier lines'),
  }),
  run: async (args, { bridge }) => {
    const { tail_lines: tailLines = DEFAULT_TAIL_LINES, what = 'transcript' } = args;
    const job = bridge.job(args.job_id);
    const log = bridge.log(job.id, { tailLines, what });
    const text = sanitiseText(log.text);
    return {
      provenance: jobProvenance(job),
      fields: {
        job_id: log.jobId,
        status: log.status,
        dir: log.dir,
        log_truncated: log.isTruncated,
        log: text,
      },
      text: text === '' ? `Nothing has been written yet; the job is ${log.status}.` : text,
      resourceUri: `delegate://jobs/${job.id}/transcript`,
    };
  },
});
