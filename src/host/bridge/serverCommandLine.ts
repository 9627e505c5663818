import * as path from 'node:path';

/** What the server child is started with; never a shell string. */
export interface ServerCommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The bundled server on the editor's own Node, so that nothing from the PATH is needed.
 *
 * The editor's private variables stay behind: some point at the editor's sockets, and NODE_OPTIONS and the inspector's
 * would load other code into the server.
 */
export function serverCommandLine(options: {
  readonly execPath: string;
  readonly extensionDir: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly isRestricted: boolean;
}): ServerCommandLine {
  const kept = Object.entries(options.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/i.test(name),
  );
  return {
    command: options.execPath,
    args: [
      path.join(options.extensionDir, 'dist', 'server.cjs'),
      '--profile',
      'ui',
      ...(options.isRestricted ? ['--restricted'] : []),
    ],
    cwd: options.cwd,
    env: { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' },
  };
}
