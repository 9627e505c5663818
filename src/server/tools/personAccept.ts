import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { personAccept as contract } from '../../protocol/ui/personAccept.ts';
import { bytesOf } from '../bytesOf.ts';
import { defineTool } from '../tool.ts';
import { ACCEPT_FIELDS, acceptAnswer, acceptJob } from './acceptJob.ts';

/** Takes the place of the agents' tool of the same name. */
export const personAccept = defineTool({
  name: acceptJob.name,
  title: acceptJob.title,
  description:
    'Applies what a job changed to the checkout, with finished texts from the merge editor, and over a gate that did not pass.',
  effect: acceptJob.effect,
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(ACCEPT_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    const resolved = new Map(
      args.resolved?.map(({ path, content_base64: content }) => [path, bytesOf(content, path)]),
    );
    const outcome = await context.bridge.reviews.accept(id, context.caller, {
      ...(args.files === undefined ? {} : { files: args.files }),
      ...(args.how === undefined ? {} : { how: args.how }),
      ...(args.dry_run === undefined ? {} : { dryRun: args.dry_run }),
      ...(args.skip_conflicts === undefined ? {} : { skipConflicts: args.skip_conflicts }),
      isGateFailureAccepted: args.accept_gate_failure ?? false,
      resolved,
    });
    return acceptAnswer(outcome, context);
  },
});
