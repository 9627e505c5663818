import * as path from 'node:path';
import { childEnvironment } from './childEnvironment.ts';

/** What the server child is started with; never a shell string. */
export interface ServerCommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The bundled server on the editor's own Node, so that nothing from the PATH is needed. */
export function serverCommandLine(options: {
  readonly execPath: string;
  readonly extensionDir: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly isRestricted: boolean;
}): ServerCommandLine {
  return {
    command: options.execPath,
    args: [
      path.join(options.extensionDir, 'dist', 'server.cjs'),
      '--profile',
      'ui',
      ...(options.isRestricted ? ['--restricted'] : []),
    ],
    cwd: options.cwd,
    env: childEnvironment(options.env),
  };
}
