import * as vscode from 'vscode';
import { runCommand } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { menuEntries, type MenuEntry } from './menuEntries.ts';

/** What a click on the status bar item opens; answers in every state of the server. */
export async function showMenu({ jobs, link }: Pick<HostParts, 'jobs' | 'link'>): Promise<void> {
  const entries = menuEntries({
    running: jobs.jobs('running'),
    waiting: jobs.jobs('waiting'),
    review: jobs.jobs('review'),
    server: link.state,
    isTrusted: vscode.workspace.isTrusted,
    now: new Date(),
  });
  const chosen = await vscode.window.showQuickPick(entries.map(toItem), {
    title: 'Delegation',
    placeHolder: 'What is running, what waits for you, what you can do',
    matchOnDescription: true,
  });
  const command = chosen?.entry.command ?? null;
  if (chosen !== undefined && command !== null) await runCommand(command, ...chosen.entry.args);
}

function toItem(entry: MenuEntry): vscode.QuickPickItem & { readonly entry: MenuEntry } {
  const { label, description, command } = entry;
  return {
    label,
    description,
    kind: command === null ? vscode.QuickPickItemKind.Separator : vscode.QuickPickItemKind.Default,
    entry,
  };
}
