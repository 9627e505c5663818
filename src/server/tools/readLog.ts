import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { readLog as contract } from '../../protocol/ui/readLog.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_MAX_BYTES = 262_144;

export const readLog = defineTool({
  name: 'read_log',
  title: 'Read log',
  description: 'A page of a log of a job from a byte on, for whoever follows it.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (
    {
      job_id: jobId,
      what,
      offset,
      max_bytes: maxBytes = DEFAULT_MAX_BYTES,
      from_line_start: isFromLineStart = false,
    },
    { bridge },
  ) => {
    const job = bridge.job(jobId);
    const page = bridge.readLog(job.id, { what, offset, maxBytes, isFromLineStart });
    return {
      provenance: jobProvenance(job),
      fields: {
        text: page.text,
        offset: page.offset,
        next_offset: page.nextOffset,
        size_bytes: page.sizeBytes,
      },
    };
  },
});
