import type { HostParts } from '../hostParts.ts';
import { type Attachment, withAttachment } from './attachment.ts';
import { DelegateContext } from './delegateContext.ts';
import type { Delegation } from './delegation.ts';
import { howStep } from './howStep.ts';
import type { KeptDelegations } from './keptDelegations.ts';
import { runSteps, type Step } from './runSteps.ts';
import { whatStep } from './whatStep.ts';
import { whoStep } from './whoStep.ts';

export interface FlowStart {
  /** Folder the job works in; null when none is open. */
  readonly cwd: string | null;
  readonly attachments?: readonly Attachment[];
  /** Takes the place of the draft for this time. */
  readonly delegation?: Delegation;
  readonly from?: Step;
}

/** The steps from an idea to a job. Answers with the job's id; undefined when it was left. */
export async function delegateFlow(
  parts: HostParts,
  kept: KeptDelegations,
  start: FlowStart,
): Promise<string | undefined> {
  const context = new DelegateContext(parts, start.cwd);
  let jobId: string | undefined;
  const first = startOf(kept.draft, start);
  kept.keepDraft(first);
  try {
    const done = await runSteps(
      first,
      {
        what: (delegation) => whatStep(parts, kept, delegation),
        who: (delegation) => whoStep(parts, context, delegation),
        how: (delegation) =>
          howStep(parts, context, delegation, (id) => {
            jobId = id;
          }),
      },
      kept.keepDraft,
      start.from,
    );
    if (done === null || jobId === undefined) return undefined;
    kept.started(done);
    parts.selectedRows.show(jobId);
    return jobId;
  } finally {
    context.dispose();
  }
}

/** The draft with what is added. What was added in another folder would name its files wrongly, so only its text is taken over. */
function startOf(draft: Delegation, { cwd, attachments = [], delegation }: FlowStart): Delegation {
  const base = delegation ?? draft;
  const own = base.cwd === cwd || base.cwd === null ? base.attachments : [];
  return { ...base, cwd, attachments: attachments.reduce(withAttachment, [...own]) };
}
