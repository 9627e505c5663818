import * as vscode from 'vscode';
import { showFailure } from '../commands/showFailure.ts';
import type { HostParts } from '../hostParts.ts';
import { askStep } from './askStep.ts';
import type { DelegateContext } from './delegateContext.ts';
import { delegatePlan } from './delegatePlan.ts';
import { delegateRequest } from './delegateRequest.ts';
import type { Delegation } from './delegation.ts';
import { failureRows } from './failureRows.ts';
import { type HowAct, howRows } from './howRows.ts';
import type { StepEnd } from './runSteps.ts';

/** The last step: how it is done, and the start. It is done when there is a job. */
export async function howStep(
  { link, log }: Pick<HostParts, 'link' | 'log'>,
  context: DelegateContext,
  first: Delegation,
  onStarted: (jobId: string) => void,
): Promise<StepEnd> {
  let delegation = first;
  let failure: unknown = context.failure;
  const rows = () => [
    ...(failure === null ? [] : failureRows(failure)),
    ...howRows(delegation.how, delegation.who, context.facts),
  ];
  const indexOfStart = (): number => {
    const index = rows().findIndex(({ act }) => act?.kind === 'start');
    return index >= 0 ? index : rows().findIndex(({ act }) => act !== null);
  };
  const start = async (): Promise<boolean> => {
    const seen = delegatePlan(delegation.how, context.facts);
    await context.settled();
    const plan = delegatePlan(delegation.how, context.facts);
    // What is started is what the row said when Enter was pressed.
    if (JSON.stringify(plan) !== JSON.stringify(seen)) return false;
    const { job } = await link.call('run_agent', delegateRequest(delegation, plan));
    onStarted(job.id);
    return true;
  };

  const kind = await askStep<HowAct>({
    step: 3,
    placeholder: 'How? Enter on an answer changes it.',
    rows,
    activeIndex: indexOfStart,
    onOpen: (open) => [
      context.onDidChange(() => {
        failure = context.failure;
        open.refresh(indexOfStart());
      }),
    ],
    onAct: async (act, open) => {
      if (act.kind === 'command') {
        await vscode.commands.executeCommand(act.command);
        return 'leave';
      }
      if (act.kind === 'change') {
        delegation = { ...delegation, how: act.how };
        failure = null;
        // Rows come and go above the one that was changed.
        open.refresh(
          rows().findIndex(({ act: other }) => other?.kind === 'change' && other.id === act.id),
        );
        return undefined;
      }
      failure = null;
      try {
        if (await start()) return 'next';
      } catch (error) {
        failure = error;
      }
      open.refresh(indexOfStart());
      return undefined;
    },
    onFailure: (error) => void showFailure(error, log),
  });
  return { kind, delegation };
}
