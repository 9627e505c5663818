import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { ModelsOverview } from '../../protocol/ui/uiTools.ts';
import { showFailure } from '../commands/showFailure.ts';
import type { HostParts } from '../hostParts.ts';
import { askStep } from './askStep.ts';
import { delegatePlan } from './delegatePlan.ts';
import type { DelegateContext } from './delegateContext.ts';
import type { Delegation } from './delegation.ts';
import { describeByPolicy } from './describeByPolicy.ts';
import { describeWho } from './describePlan.ts';
import { failureRows } from './failureRows.ts';
import type { StepEnd } from './runSteps.ts';
import { isWhoUp, whoRows, type WhoAct } from './whoRows.ts';

/** An older answer is not shown as what is there now. */
const FRESH_MS = 60_000;

/** The second step: who does it. The endpoints are asked while it is open. */
export async function whoStep(
  { link, overview, log }: Pick<HostParts, 'link' | 'overview' | 'log'>,
  context: DelegateContext,
  first: Delegation,
): Promise<StepEnd> {
  let delegation = first;
  let byPolicy = '';
  const live = (): ModelsOverview | null =>
    overview.askedAtMs !== null &&
    overview.state.kind === 'ready' &&
    Date.now() - overview.askedAtMs < FRESH_MS
      ? overview.overview
      : null;
  const rows = () => {
    const { state } = overview;
    const failed =
      state.kind === 'error' && overview.overview === null
        ? failureRows(new BridgeError('server_unavailable', state.message, { hint: state.hint }))
        : [];
    return [...failed, ...whoRows(live(), byPolicy, delegation.who)];
  };
  const indexOfLast = (): number => {
    const wanted = JSON.stringify({ kind: 'choose', who: delegation.who });
    const index = rows().findIndex(({ act }) => JSON.stringify(act) === wanted);
    return index >= 0 ? index : rows().findIndex(({ act }) => act !== null);
  };
  const askPolicy = async (): Promise<void> => {
    const { cwd } = context;
    const { policy } = delegatePlan(delegation.how, context.facts);
    byPolicy = describeByPolicy(
      await link.tryCall('explain_route', { policy, ...(cwd === null ? {} : { cwd }) }),
    );
  };

  const kind = await askStep<WhoAct>({
    step: 2,
    placeholder: 'Who does it?',
    rows,
    activeIndex: indexOfLast,
    onOpen: (open) => {
      let isSettled = false;
      const show = (): void => {
        // The person may have moved on; only the first full answer moves the mark to what was chosen last.
        const isFirst = !isSettled && live() !== null;
        if (isFirst) isSettled = true;
        if (isWhoUp(delegation.who, live()) === false)
          open.setPlaceholder(`${describeWho(delegation.who)} is down now. Who else?`);
        open.refresh(isFirst ? indexOfLast() : undefined);
      };
      void overview.refresh();
      askPolicy().then(show, (error: unknown) => log.warn(BridgeError.from(error).message));
      show();
      return [overview.onDidChange(show), overview.watch()];
    },
    onAct: async (act) => {
      if (act.kind === 'command') {
        await vscode.commands.executeCommand(act.command);
        return 'leave';
      }
      delegation = { ...delegation, who: act.who };
      return 'next';
    },
    onFailure: (error) => void showFailure(error, log),
  });
  return { kind, delegation };
}
