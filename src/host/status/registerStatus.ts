import * as vscode from 'vscode';
import {
  type BOOLEAN_SETTINGS,
  readBooleanSetting,
  registerCommand,
  runCommand,
  SETTINGS_PREFIX,
} from '../../contributions.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import { systemClock } from '../bridge/systemClock.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { type JobsFilter, workspaceFolders } from '../views/jobsFilter.ts';
import { repositoryOf } from '../views/repositoryOf.ts';
import { endMessage } from './endMessage.ts';
import { EndNotifier } from './endNotifier.ts';
import { showMenu } from './showMenu.ts';
import { StatusItem } from './statusItem.ts';

const SETTING = 'notifications.enabled' satisfies keyof typeof BOOLEAN_SETTINGS;
const NEVER = 'Do Not Show Again';

/** The item in the status bar, its menu, and the notification of a job's end. */
export function registerStatus(parts: HostParts, filter: JobsFilter): vscode.Disposable[] {
  const notifier = new EndNotifier({
    jobs: parts.jobs,
    clock: systemClock,
    openedAtMs: Date.now(),
    isWanted: (job) =>
      readBooleanSetting('notifications.enabled') && job.status !== 'cancelled' && isOurs(job),
    show: tellEnd,
  });
  const menu = reportFailures(parts, () => showMenu(parts));
  return [new StatusItem(parts, filter), notifier, registerCommand('showMenu', menu)];
}

/** Of a repository that this window has open, also while the jobs of all are shown. */
function isOurs({ repoRoot, cwd }: FeedJob): boolean {
  const folders = workspaceFolders();
  return folders.some((folder) => (repositoryOf(folder) ?? folder) === (repoRoot ?? cwd));
}

async function tellEnd(jobs: readonly FeedJob[]): Promise<void> {
  const { text, isWarning, buttons } = endMessage(jobs);
  const labels = [...buttons.map(({ label }) => label), NEVER];
  const chosen = await (isWarning
    ? vscode.window.showWarningMessage(text, ...labels)
    : vscode.window.showInformationMessage(text, ...labels));
  if (chosen === NEVER) {
    await vscode.workspace
      .getConfiguration(SETTINGS_PREFIX)
      .update(SETTING, false, vscode.ConfigurationTarget.Global);
    return;
  }
  const button = buttons.find(({ label }) => label === chosen);
  if (button !== undefined) await runCommand(button.command, ...button.args);
}
