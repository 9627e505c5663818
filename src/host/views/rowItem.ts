import * as vscode from 'vscode';
import { COMMANDS } from '../../contributions.ts';
import type { Row } from './rows/row.ts';

/** The row as VS Code shows it. Commands are handed the node, as those of menus are. */
export function rowItem(row: Row, node: unknown): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, stateOf(row));
  item.id = row.id;
  item.description = row.description;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibleLabel };
  if (row.icon !== null) {
    const { id, color } = row.icon;
    item.iconPath = new vscode.ThemeIcon(
      id,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
  }
  if (row.tooltip !== null) item.tooltip = row.tooltip;
  if (row.command !== null) {
    const { name, title } = row.command;
    item.command = { command: COMMANDS[name], title, arguments: [node] };
  }
  return item;
}

function stateOf({ children }: Row): vscode.TreeItemCollapsibleState {
  switch (children) {
    case 'none':
      return vscode.TreeItemCollapsibleState.None;
    case 'collapsed':
      return vscode.TreeItemCollapsibleState.Collapsed;
    case 'expanded':
      return vscode.TreeItemCollapsibleState.Expanded;
  }
}
