import { sanitiseLine } from '../../base/sanitise.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const abandon: Command = {
  usage: 'abandon <job> [--json]',
  description: 'Ends the review of a job without a decision about its content.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const job = await bridge.reviews.abandon(id, context.caller);
    if (flag(args, 'json')) printJson(context, { job });
    else {
      const kept =
        job.worktree?.kept === true && job.isolation === 'worktree'
          ? ` Its worktree stays at ${sanitiseLine(job.worktree.root, 1_000)}; to drop that too: delegate reject ${job.id}`
          : '';
      printText(context, `Abandoned ${job.id}.${kept}`);
    }
    return 0;
  },
};
