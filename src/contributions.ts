import * as vscode from 'vscode';

/**
 * Every command, view, setting and context key of the extension. A test compares them with package.json in both directions;
 * the helpers below take only these names, so a misspelt one does not compile.
 */
export const COMMANDS = {
  showServerVersion: 'delegationBridge.showServerVersion',
  restartServer: 'delegationBridge.restartServer',
  showServerLog: 'delegationBridge.showServerLog',
  refresh: 'delegationBridge.refresh',
  showAllJobs: 'delegationBridge.showAllJobs',
  showRepositoryJobs: 'delegationBridge.showRepositoryJobs',
  loadMoreJobs: 'delegationBridge.loadMoreJobs',
  showMenu: 'delegationBridge.showMenu',
  delegate: 'delegationBridge.delegate',
  delegateSelection: 'delegationBridge.delegateSelection',
  delegateFile: 'delegationBridge.delegateFile',
  delegateProblem: 'delegationBridge.delegateProblem',
  delegateAgain: 'delegationBridge.delegateAgain',
  delegateBrief: 'delegationBridge.delegateBrief',
  cancelJob: 'delegationBridge.cancelJob',
  resumeJob: 'delegationBridge.resumeJob',
  retryJob: 'delegationBridge.retryJob',
  openJob: 'delegationBridge.openJob',
  openLog: 'delegationBridge.openLog',
  copyReceipt: 'delegationBridge.copyReceipt',
  openWorktree: 'delegationBridge.openWorktree',
  runGate: 'delegationBridge.runGate',
  abandonJob: 'delegationBridge.abandonJob',
  reviewJob: 'delegationBridge.reviewJob',
  openChange: 'delegationBridge.openChange',
  openCheckoutFile: 'delegationBridge.openCheckoutFile',
  acceptJob: 'delegationBridge.acceptJob',
  acceptFile: 'delegationBridge.acceptFile',
  rejectJob: 'delegationBridge.rejectJob',
  rejectFile: 'delegationBridge.rejectFile',
  takeBackRejectFile: 'delegationBridge.takeBackRejectFile',
  undoAccept: 'delegationBridge.undoAccept',
  restoreJob: 'delegationBridge.restoreJob',
  mergeFile: 'delegationBridge.mergeFile',
  finishMerge: 'delegationBridge.finishMerge',
  nextJobToReview: 'delegationBridge.nextJobToReview',
  nextFile: 'delegationBridge.nextFile',
  previousFile: 'delegationBridge.previousFile',
  findServers: 'delegationBridge.findServers',
  registerEndpoint: 'delegationBridge.registerEndpoint',
  importConfig: 'delegationBridge.importConfig',
  applyImport: 'delegationBridge.applyImport',
  cancelImport: 'delegationBridge.cancelImport',
  startRehearsal: 'delegationBridge.startRehearsal',
  stopRehearsal: 'delegationBridge.stopRehearsal',
  openConfig: 'delegationBridge.openConfig',
  openForm: 'delegationBridge.openForm',
  openYaml: 'delegationBridge.openYaml',
  probeEndpoint: 'delegationBridge.probeEndpoint',
  setSecret: 'delegationBridge.setSecret',
  deleteSecret: 'delegationBridge.deleteSecret',
  moveSecret: 'delegationBridge.moveSecret',
  restartLanguageServer: 'delegationBridge.restartLanguageServer',
  trustRepositorySettings: 'delegationBridge.trustRepositorySettings',
  openWalkthrough: 'delegationBridge.openWalkthrough',
  tryFirstJob: 'delegationBridge.tryFirstJob',
  setUpClaudeCode: 'delegationBridge.setUpClaudeCode',
  removeFromClaudeCode: 'delegationBridge.removeFromClaudeCode',
  cleanUp: 'delegationBridge.cleanUp',
  collectDiagnostics: 'delegationBridge.collectDiagnostics',
} as const;

/** Commands that only look, or open something. All others are refused in Restricted Mode, whoever calls them. */
export const COMMANDS_WITHOUT_TRUST: readonly (keyof typeof COMMANDS)[] = [
  'showServerVersion',
  'restartServer',
  'restartLanguageServer',
  'showServerLog',
  'refresh',
  'showAllJobs',
  'showRepositoryJobs',
  'loadMoreJobs',
  'showMenu',
  'openJob',
  'openLog',
  'copyReceipt',
  'openWorktree',
  'reviewJob',
  'openChange',
  'openCheckoutFile',
  'nextJobToReview',
  'nextFile',
  'previousFile',
  'openConfig',
  'importConfig',
  'cancelImport',
  'openForm',
  'openYaml',
  'openWalkthrough',
  'collectDiagnostics',
];

/** Settings that hold a number, by their name below the prefix. package.json must repeat these values. */
export const NUMBER_SETTINGS = {
  'server.startTimeoutSeconds': { default: 20, minimum: 1, maximum: 300 },
} as const;

/** Settings that are on or off. package.json must repeat these values. */
export const BOOLEAN_SETTINGS = {
  'notifications.enabled': { default: true },
  'todoCodeLens.enabled': { default: false },
} as const;

/** Views of the container in the activity bar. */
export const VIEWS = {
  jobs: 'delegationBridge.jobs',
  endpoints: 'delegationBridge.endpoints',
  pools: 'delegationBridge.pools',
} as const;

/** Editors of files, by the name under which VS Code offers them. */
export const EDITORS = {
  models: 'delegationBridge.models',
} as const;

/** Keys for `when` clauses in menus and in people's own key bindings. */
export const CONTEXT_KEYS = {
  /** stopped, starting, running, degraded, failed */
  serverState: 'delegationBridge.serverState',
  /** repository or all */
  jobsFilter: 'delegationBridge.jobsFilter',
  /** What a view has: loading, error, empty, ready */
  jobsState: 'delegationBridge.jobsState',
  endpointsState: 'delegationBridge.endpointsState',
  /** The editor in front shows changes of a job: file, job, or merge */
  reviewEditor: 'delegationBridge.reviewEditor',
  /** The text editor in front shows a file of the configuration */
  modelsText: 'delegationBridge.modelsText',
  /** The rehearsal server: off, own (of this window), other (of another one) */
  rehearsalState: 'delegationBridge.rehearsalState',
  /** For the steps of the walkthrough */
  hasEndpoint: 'delegationBridge.hasEndpoint',
  hasRunJob: 'delegationBridge.hasRunJob',
  hasReviewed: 'delegationBridge.hasReviewed',
  hasAccepted: 'delegationBridge.hasAccepted',
  claudeCodeSetUp: 'delegationBridge.claudeCodeSetUp',
} as const;

/** Schemes of the documents that the extension shows. */
export const SCHEMES = {
  base: 'delegate-base',
  import: 'delegate-import',
  job: 'delegate-job',
  merge: 'delegate-merge',
  setup: 'delegate-setup',
  text: 'delegate-text',
} as const;

export const SETTINGS_PREFIX = 'delegationBridge';

/**
 * Registers the handler of a declared command; the value it returns is the command's result for other extensions and tests. In
 * Restricted Mode a command that needs trust says so and does nothing: `enablement` holds back menus and keys only.
 */
export function registerCommand(
  name: keyof typeof COMMANDS,
  handler: (...args: unknown[]) => unknown,
): vscode.Disposable {
  const isFree = COMMANDS_WITHOUT_TRUST.includes(name);
  return vscode.commands.registerCommand(COMMANDS[name], (...args: unknown[]) => {
    if (isFree || vscode.workspace.isTrusted) return handler(...args);
    void offerTrust();
    return undefined;
  });
}

const MANAGE_TRUST = 'Manage Workspace Trust';

/** Says why nothing happens in Restricted Mode, with the way out of it as a button. */
async function offerTrust(): Promise<void> {
  const choice = await vscode.window.showWarningMessage(
    'This window is in Restricted Mode, so Delegation Bridge runs, probes and changes nothing. Trust the workspace first.',
    MANAGE_TRUST,
  );
  if (choice === MANAGE_TRUST) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Runs a declared command. */
export function runCommand(
  name: keyof typeof COMMANDS,
  ...args: readonly unknown[]
): Thenable<unknown> {
  return vscode.commands.executeCommand(COMMANDS[name], ...args);
}

/**
 * The setting's value, moved into its range; its default when it is no number. VS Code marks such values in
 * settings.json but hands them out all the same.
 */
export function readNumberSetting(name: keyof typeof NUMBER_SETTINGS): number {
  const { default: fallback, minimum, maximum } = NUMBER_SETTINGS[name];
  const value = vscode.workspace.getConfiguration(SETTINGS_PREFIX).get<unknown>(name);
  return typeof value === 'number' ? Math.min(Math.max(value, minimum), maximum) : fallback;
}

/** Whether the setting is on; its default when it is neither. */
export function readBooleanSetting(
  name: keyof typeof BOOLEAN_SETTINGS,
  scope?: vscode.ConfigurationScope,
): boolean {
  const value = vscode.workspace.getConfiguration(SETTINGS_PREFIX, scope).get<unknown>(name);
  return typeof value === 'boolean' ? value : BOOLEAN_SETTINGS[name].default;
}

/** Sets a key that `when` clauses read. */
export function setContext(
  name: keyof typeof CONTEXT_KEYS,
  value: string | boolean | null,
): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', CONTEXT_KEYS[name], value);
}
