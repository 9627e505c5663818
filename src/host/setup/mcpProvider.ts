import * as vscode from 'vscode';
import { homedir } from 'node:os';
import { serverCommandLine } from '../bridge/serverCommandLine.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';

const PROVIDER = 'delegationBridge.server';

/** Offers the server to VS Code's own agent mode, in trusted windows. Editors without such a mode lack the API. */
export function registerMcpProvider({
  context,
  version,
}: Pick<HostParts, 'context' | 'version'>): vscode.Disposable[] {
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  if (typeof lm?.registerMcpServerDefinitionProvider !== 'function') return [];
  const changed = new vscode.EventEmitter<void>();
  return [
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        vscode.workspace.isTrusted ? [definition(context.extensionPath, version)] : [],
    }),
  ];
}

function definition(extensionDir: string, version: string): vscode.McpStdioServerDefinition {
  const { command, args, cwd, env } = serverCommandLine({
    execPath: process.execPath,
    extensionDir,
    cwd: workspaceFolder() ?? homedir(),
    env: process.env,
    isRestricted: false,
  });
  const [script = ''] = args;
  const server = new vscode.McpStdioServerDefinition(
    'Delegation Bridge',
    command,
    [script, '--profile', 'bridge'],
    environment(env),
    version,
  );
  server.cwd = vscode.Uri.file(cwd);
  return server;
}

/** VS Code adds this to its own environment: what must not reach the server is null. */
function environment(wanted: NodeJS.ProcessEnv): Record<string, string | null> {
  const unwanted = Object.keys(process.env).filter((name) => wanted[name] === undefined);
  return {
    ...Object.fromEntries(unwanted.map((name) => [name, null])),
    ELECTRON_RUN_AS_NODE: '1',
  };
}
