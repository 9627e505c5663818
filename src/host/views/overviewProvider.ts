import * as vscode from 'vscode';
import { systemClock } from '../bridge/systemClock.ts';
import type { OverviewModel } from '../jobs/overviewModel.ts';
import { ChangeThrottle } from './changeThrottle.ts';
import { rowItem } from './rowItem.ts';
import type { Row } from './rows/row.ts';

/** What a tree of the overview gives; its rows are few, so a change shows all of them anew. */
export interface RowTree<Node> {
  children(node?: Node): readonly Node[];
  row(node: Node): Row;
}

/** The endpoints view and the pools view as VS Code asks for them. */
export class OverviewProvider<Node> implements vscode.TreeDataProvider<Node> {
  readonly #tree: RowTree<Node>;
  readonly #overview: OverviewModel;
  readonly #finish: (item: vscode.TreeItem, node: Node) => void;
  readonly #changes = new vscode.EventEmitter<Node | undefined>();
  readonly #throttle = new ChangeThrottle<Node>(systemClock, () => this.#changes.fire(undefined));
  readonly onDidChangeTreeData = this.#changes.event;

  /** @param finish what an item has beyond its row */
  constructor(
    tree: RowTree<Node>,
    overview: OverviewModel,
    finish: (item: vscode.TreeItem, node: Node) => void,
  ) {
    this.#tree = tree;
    this.#overview = overview;
    this.#finish = finish;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined && this.#overview.state.kind === 'loading') {
      // VS Code shows progress in the view until this is resolved.
      await new Promise<void>((resolve) => {
        const subscription = this.#overview.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
    return [...this.#tree.children(node)];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const item = rowItem(this.#tree.row(node), node);
    this.#finish(item, node);
    return item;
  }

  refresh(): void {
    this.#throttle.add(null);
  }

  dispose(): void {
    this.#throttle.dispose();
    this.#changes.dispose();
  }
}
