import type * as vscode from 'vscode';
import type { BridgeLink } from './bridge/bridgeLink.ts';
import type { ServerSupervisor } from './bridge/serverSupervisor.ts';
import type { JobsModel } from './jobs/jobsModel.ts';
import type { SelectedRows } from './commands/selectedRows.ts';
import type { OverviewModel } from './jobs/overviewModel.ts';
import type { ModelsLanguage } from './modelsLanguage/modelsLanguage.ts';
import type { StepKeys } from './start/stepKeys.ts';

/** What `activate` builds once and every feature of the extension is given. */
export interface HostParts {
  readonly context: vscode.ExtensionContext;
  readonly version: string;
  readonly log: vscode.LogOutputChannel;
  readonly serverLog: vscode.LogOutputChannel;
  readonly supervisor: ServerSupervisor;
  readonly link: BridgeLink;
  readonly jobs: JobsModel;
  readonly overview: OverviewModel;
  readonly selectedRows: SelectedRows;
  /** To be refreshed by whoever registers an endpoint or sets up Claude Code. */
  readonly steps: StepKeys;
  /** The language server of models.yaml. */
  readonly language: ModelsLanguage;
  /** What is told to the server before it is ended. */
  readonly farewells: (() => Promise<void>)[];
}
