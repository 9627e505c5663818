import * as vscode from 'vscode';

/**
 * Every command, setting and context key of the extension. A test compares them with package.json in both directions;
 * the helpers below take only these names, so a misspelt one does not compile.
 */
export const COMMANDS = {
  showServerVersion: 'delegationBridge.showServerVersion',
  restartServer: 'delegationBridge.restartServer',
  showServerLog: 'delegationBridge.showServerLog',
} as const;

/** Settings that hold a number, by their name below the prefix. package.json must repeat these values. */
export const NUMBER_SETTINGS = {
  'server.startTimeoutSeconds': { default: 20, minimum: 1, maximum: 300 },
} as const;

/** Keys for `when` clauses in menus and in people's own key bindings. */
export const CONTEXT_KEYS = {
  serverState: 'delegationBridge.serverState',
} as const;

export const SETTINGS_PREFIX = 'delegationBridge';

/** Registers the handler of a declared command; the value it returns is the command's result for other extensions and tests. */
export function registerCommand(
  name: keyof typeof COMMANDS,
  handler: () => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(COMMANDS[name], handler);
}

/** Runs a declared command. */
export function runCommand(name: keyof typeof COMMANDS): Thenable<unknown> {
  return vscode.commands.executeCommand(COMMANDS[name]);
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

/** Sets a key that `when` clauses read. */
export function setContext(name: keyof typeof CONTEXT_KEYS, value: string): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', CONTEXT_KEYS[name], value);
}
