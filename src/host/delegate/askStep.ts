import * as vscode from 'vscode';
import type { StepEnd } from './runSteps.ts';
import type { StepRow } from './stepRow.ts';

/** What a step can do with its list while it is open. */
export interface OpenStep {
  /** Shows the rows anew; the row of this index, else the first, becomes the active one. */
  readonly refresh: (activeIndex?: number) => void;
  readonly setValue: (value: string) => void;
  readonly setPlaceholder: (text: string) => void;
  /** Runs something that shows a dialog of its own, and comes back with the list as it was. */
  readonly elsewhere: <T>(work: () => PromiseLike<T>) => Promise<T>;
}

export interface StepQuestion<Act> {
  readonly title?: string;
  /** Absent for a question that is no step of the flow. */
  readonly step?: 1 | 2 | 3;
  readonly placeholder: string;
  /** What is typed already, in a step whose text is an answer and no filter. */
  readonly value?: string;
  readonly rows: () => readonly StepRow<Act>[];
  /** Index of the row that Enter takes at first. */
  readonly activeIndex?: () => number;
  /** Called once; what it returns is disposed with the step. */
  readonly onOpen?: (open: OpenStep) => readonly { dispose(): unknown }[];
  readonly onType?: (value: string, open: OpenStep) => void;
  /** Undefined: the step goes on. */
  readonly onAct: (
    act: Act,
    open: OpenStep,
    index: number,
  ) => PromiseLike<StepEnd['kind'] | undefined> | StepEnd['kind'] | undefined;
  readonly onFailure: (error: unknown) => void;
}

interface Item<Act> extends vscode.QuickPickItem {
  readonly row: StepRow<Act>;
}

const STEPS = 3;

/** One step of the flow: a list under a text box, with a way back. Resolves when it is done or left. */
export function askStep<Act>(question: StepQuestion<Act>): Promise<StepEnd['kind']> {
  const isText = question.value !== undefined;
  const pick = vscode.window.createQuickPick<Item<Act>>();
  pick.title = question.title ?? 'Delegate a Task';
  const { step = 1 } = question;
  if (question.step !== undefined) {
    pick.step = step;
    pick.totalSteps = STEPS;
  }
  pick.placeholder = question.placeholder;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = !isText;
  if (step > 1) pick.buttons = [vscode.QuickInputButtons.Back];
  if (question.value !== undefined) pick.value = question.value;
  // Not in the typings. Without it a typed word moves rows that happen to have its letters to the top.
  (pick as { sortByLabel?: boolean }).sortByLabel = false;

  return new Promise((resolve) => {
    let isElsewhere = false;
    let isOver = false;
    let shown = '';
    const disposables: { dispose(): unknown }[] = [];
    const finish = (kind: StepEnd['kind']): void => {
      if (isOver) return;
      isOver = true;
      for (const each of disposables) each.dispose();
      pick.dispose();
      resolve(kind);
    };

    const open: OpenStep = {
      refresh: (activeIndex) => {
        if (isOver) return;
        const rows = question.rows();
        const present = JSON.stringify(rows);
        if (present === shown && activeIndex === undefined) return;
        shown = present;
        const items = rows.map((row) => itemOf(row, isText));
        pick.items = items;
        const active = items[activeIndex ?? 0];
        if (active !== undefined) pick.activeItems = [active];
      },
      setValue: (value) => (pick.value = value),
      setPlaceholder: (text) => (pick.placeholder = text),
      elsewhere: async (work) => {
        isElsewhere = true;
        try {
          return await work();
        } finally {
          isElsewhere = false;
          if (!isOver) pick.show();
        }
      },
    };

    const act = async (item: Item<Act> | undefined): Promise<void> => {
      if (item === undefined || item.row.act === null || !pick.enabled) return;
      pick.busy = true;
      pick.enabled = false;
      try {
        const end = await question.onAct(item.row.act, open, pick.items.indexOf(item));
        if (end !== undefined) finish(end);
      } catch (error) {
        question.onFailure(error);
      } finally {
        if (!isOver) {
          pick.busy = false;
          pick.enabled = true;
        }
      }
    };

    disposables.push(
      pick.onDidAccept(() => void act(pick.selectedItems[0] ?? pick.activeItems[0])),
      pick.onDidChangeValue((value) => question.onType?.(value, open)),
      pick.onDidTriggerButton(() => finish('back')),
      pick.onDidHide(() => {
        if (!isElsewhere) finish('leave');
      }),
      ...(question.onOpen?.(open) ?? []),
    );
    open.refresh(question.activeIndex?.() ?? 0);
    pick.show();
  });
}

function itemOf<Act>(row: StepRow<Act>, isText: boolean): Item<Act> {
  const { icon, label, description, detail } = row;
  return {
    label,
    ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
    ...(description === undefined ? {} : { description }),
    ...(detail === undefined ? {} : { detail }),
    ...(row.isHeading === true ? { kind: vscode.QuickPickItemKind.Separator } : {}),
    // A text is no filter.
    alwaysShow: isText || row.act === null,
    row,
  };
}
