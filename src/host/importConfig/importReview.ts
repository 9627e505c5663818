import * as vscode from 'vscode';
import { isImport } from './importDocuments.ts';
import type { Decision, PlanRow } from './importRows.ts';

interface Open {
  readonly decide: (decision: Decision) => void;
}

/** What waits for a decision while its diff is open. One at a time: showing another one cancels it. */
export class ImportReview implements vscode.Disposable {
  readonly #tabs: vscode.Disposable;
  #open: Open | null = null;

  constructor() {
    this.#tabs = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      // Whoever closes the diff has decided as well.
      if (closed.some(isImport)) this.decide('cancel');
    });
  }

  /** From the title bar of the diff, its keys, or the palette. */
  decide(decision: Decision): void {
    this.#open?.decide(decision);
  }

  /**
   * Offers the rows over the open diff. Escape only hides them: the buttons of the diff's title bar stay.
   * @returns `cancel` too when the diff is closed or another import is shown
   */
  ask(
    title: string,
    { actions, notes }: { actions: readonly PlanRow[]; notes: readonly PlanRow[] },
  ): Promise<Decision> {
    this.decide('cancel');
    return new Promise((resolve) => {
      const pick = vscode.window.createQuickPick<vscode.QuickPickItem & PlanRow>();
      const open: Open = {
        decide: (decision) => {
          if (this.#open === open) this.#open = null;
          pick.dispose();
          resolve(decision);
        },
      };
      this.#open = open;
      pick.title = title;
      pick.placeholder =
        'Nothing has been written yet. Escape shows the whole diff, with its own buttons.';
      pick.ignoreFocusOut = true;
      pick.items = [
        ...actions,
        ...(notes.length === 0
          ? []
          : [
              {
                ...{ label: 'what to know', detail: '', decision: null },
                kind: vscode.QuickPickItemKind.Separator,
              },
            ]),
        ...notes,
      ];
      pick.onDidAccept(() => {
        const decision = pick.selectedItems[0]?.decision ?? null;
        // A row that only tells something: the question stands.
        if (decision !== null) open.decide(decision);
      });
      pick.show();
    });
  }

  dispose(): void {
    this.decide('cancel');
    this.#tabs.dispose();
  }
}
