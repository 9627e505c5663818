import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { showFailure } from '../commands/showFailure.ts';
import type { HostParts } from '../hostParts.ts';
import { askStep } from './askStep.ts';
import type { Who } from './delegation.ts';
import { describeWho } from './describePlan.ts';
import { escapeIcons } from './escapeIcons.ts';
import { failureRows } from './failureRows.ts';
import { heading } from './stepRow.ts';
import { whoRows, type WhoAct } from './whoRows.ts';

export interface ModelQuestion<T> {
  readonly title: string;
  /** Where it ran before: offered first, as "again". */
  readonly before: { readonly endpoint: string; readonly model: string | null } | null;
  /** What is done with the answer. While it fails the list stays, with the reason. */
  readonly use: (who: Who) => Promise<T>;
}

/** Asks for a model among those that are served now. Undefined when it was left. */
export async function chooseModel<T>(
  { overview, log }: Pick<HostParts, 'overview' | 'log'>,
  { title, before, use }: ModelQuestion<T>,
): Promise<T | undefined> {
  let result: T | undefined;
  let failure: unknown = null;
  const openedMs = Date.now();
  const rows = () => {
    const isFresh = (overview.askedAtMs ?? 0) >= openedMs && overview.state.kind === 'ready';
    const { state } = overview;
    const shown =
      failure ??
      (state.kind === 'error'
        ? new BridgeError('server_unavailable', state.message, { hint: state.hint })
        : null);
    return [
      ...(shown === null ? [] : failureRows(shown)),
      ...(before === null || isFresh
        ? []
        : [heading(`It ran on ${escapeIcons(describeWho({ kind: 'model', ...before }))}`)]),
      ...whoRows(isFresh ? overview.overview : null, '', { kind: 'policy' }).map((row) =>
        row.act?.kind === 'choose' && row.act.who.kind === 'policy'
          ? { ...row, icon: 'history', label: 'As it was asked for then' }
          : row,
      ),
    ];
  };
  const indexOfFirst = (): number => {
    const all = rows();
    const other = all.findIndex(
      ({ act }) =>
        act?.kind === 'choose' &&
        act.who.kind === 'model' &&
        (act.who.endpoint !== before?.endpoint || act.who.model !== before.model),
    );
    return other >= 0 ? other : all.findIndex(({ act }) => act !== null);
  };
  await askStep<WhoAct>({
    title,
    placeholder: 'On which model? The task starts anew; the job itself stays as it is.',
    rows,
    activeIndex: indexOfFirst,
    onOpen: (open) => {
      void overview.refresh();
      return [overview.onDidChange(() => open.refresh(indexOfFirst())), overview.watch()];
    },
    onAct: async (act, open) => {
      if (act.kind === 'command') {
        await vscode.commands.executeCommand(act.command);
        return 'leave';
      }
      try {
        result = await use(act.who);
        return 'next';
      } catch (error) {
        failure = error;
        open.refresh(0);
        return undefined;
      }
    },
    onFailure: (error) => void showFailure(error, log),
  });
  return result;
}
