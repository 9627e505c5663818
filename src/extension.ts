import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { setContext } from './contributions.ts';
import { registerAgents } from './host/agents/registerAgents.ts';
import { createSupervisor } from './host/bridge/createSupervisor.ts';
import { BridgeLink } from './host/bridge/bridgeLink.ts';
import { installLauncher } from './host/bridge/installLauncher.ts';
import { registerJobCommands } from './host/commands/registerJobCommands.ts';
import { SelectedRows } from './host/commands/selectedRows.ts';
import { registerDelegate } from './host/delegate/registerDelegate.ts';
import type { HostParts } from './host/hostParts.ts';
import { registerImport } from './host/importConfig/registerImport.ts';
import { registerJobPanel } from './host/jobPanel/registerJobPanel.ts';
import { JobsModel } from './host/jobs/jobsModel.ts';
import { OverviewModel } from './host/jobs/overviewModel.ts';
import { ModelsLanguage } from './host/modelsLanguage/modelsLanguage.ts';
import { registerModelsLanguage } from './host/modelsLanguage/registerModelsLanguage.ts';
import { registerRegistryForm } from './host/registryForm/registerRegistryForm.ts';
import { registerReview } from './host/review/registerReview.ts';
import { registerServer } from './host/server/registerServer.ts';
import { registerSetup } from './host/setup/registerSetup.ts';
import { registerStart } from './host/start/registerStart.ts';
import { StepKeys } from './host/start/stepKeys.ts';
import { registerViews } from './host/views/registerViews.ts';
import { workspaceFolder } from './host/workspaceFolder.ts';

/** A server that does not answer holds nobody up. */
const FAREWELL_MS = 1000;

// VS Code hands `deactivate` nothing, and waits only for what it returns.
let active: HostParts | undefined;

/** Builds the parts and connects them; returns before the server has started. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Delegation Bridge', { log: true });
  const serverLog = vscode.window.createOutputChannel('Delegation Bridge Server', { log: true });
  const { version } = context.extension.packageJSON as { version: string };
  const link: BridgeLink = new BridgeLink(() => supervisor, log);
  const supervisor = createSupervisor({ context, version, log, serverLog, link });
  const jobs = new JobsModel(link, log);
  const overview = new OverviewModel(link, workspaceFolder, log);
  const selectedRows = new SelectedRows();
  const steps = new StepKeys({ context, link, log });
  const language = new ModelsLanguage({ context, log, overview, link });
  const parts: HostParts = {
    context,
    version,
    log,
    serverLog,
    supervisor,
    link,
    jobs,
    overview,
    selectedRows,
    steps,
    language,
    farewells: [],
  };
  active = parts;

  void setContext('serverState', 'stopped');
  context.subscriptions.push(
    log,
    serverLog,
    link,
    jobs,
    overview,
    steps,
    language,
    ...registerServer(parts),
    ...registerViews(parts),
    ...registerDelegate(parts),
    ...registerJobCommands(parts),
    ...registerReview(parts),
    ...registerJobPanel(parts),
    ...registerRegistryForm(parts),
    ...registerSetup(parts),
    ...registerImport(parts),
    ...registerStart(parts),
    ...registerModelsLanguage(parts),
    ...registerAgents(parts),
  );
  void supervisor.start();
  void installLauncher({
    env: process.env,
    homeDir: homedir(),
    platform: process.platform,
    execPath: process.execPath,
    extensionDir: context.extensionPath,
    log,
  });
}

/** Ends the server child. Jobs go on: they have processes of their own. */
export async function deactivate(): Promise<void> {
  if (active === undefined) return;
  const said = Promise.allSettled(active.farewells.map((say) => say()));
  await Promise.race([said, new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref())]);
  await Promise.all([active.supervisor.dispose(), active.language.stop()]);
}
