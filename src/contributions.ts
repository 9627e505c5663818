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

/** Settings by their name below the prefix; the values are the defaults, which package.json must repeat. */
export const SETTINGS = {
  'server.startTimeoutSeconds': 20,
} as const;

/** Keys for `when` clauses in menus and in people's own key bindings. */
export const CONTEXT_KEYS = {
  serverState: 'delegationBridge.serverState',
} as const;

export const SETTINGS_PREFIX = 'delegationBridge';

type Widen<T> = T extends number ? number : T extends boolean ? boolean : string;
type SettingName = keyof typeof SETTINGS;

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

/** The setting's value; its default when the user's value is of another type, since settings.json is not checked by VS Code. */
export function readSetting<N extends SettingName>(name: N): Widen<(typeof SETTINGS)[N]> {
  const fallback: unknown = SETTINGS[name];
  const value = vscode.workspace.getConfiguration(SETTINGS_PREFIX).get<unknown>(name);
  return (typeof value === typeof fallback ? value : fallback) as Widen<(typeof SETTINGS)[N]>;
}

/** Sets a key that `when` clauses read. */
export function setContext(name: keyof typeof CONTEXT_KEYS, value: string): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', CONTEXT_KEYS[name], value);
}
