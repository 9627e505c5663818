import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { jobFeed as contract } from '../../protocol/ui/jobFeed.ts';
import { defineTool } from '../tool.ts';
import { shortTask } from '../toolAnswers.ts';

export const jobFeed = defineTool({
  name: 'job_feed',
  title: 'Jobs for a view',
  description:
    'Jobs as a list keeps them: all that are open and a page of the finished ones; with "since" only what has changed.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ since, before, folders, limit }, { bridge }) => {
    const feed = bridge.feed({
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before }),
      ...(folders === undefined ? {} : { folders }),
      ...(limit === undefined ? {} : { limit }),
    });
    return {
      provenance: noModelProvenance(`${formatPlural(feed.rows.length, 'job')} from the store`),
      fields: {
        revision: feed.revision,
        jobs: feed.rows.map(({ record, seq, repoRoot, queuePosition }) =>
          toWire({
            ...record,
            task: shortTask(record.task),
            result: null,
            seq,
            repoRoot,
            queuePosition,
          }),
        ),
        finished_total: feed.finishedTotal,
        total: feed.total,
      },
    };
  },
});
