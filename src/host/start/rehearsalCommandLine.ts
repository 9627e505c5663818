import * as os from 'node:os';
import * as path from 'node:path';
import { type ServerCommandLine, serverCommandLine } from '../bridge/serverCommandLine.ts';

/** `delegate` on the editor's own Node, in the home folder: nothing of a workspace is near it. */
export function rehearsalCommandLine(extensionDir: string): ServerCommandLine {
  const { command, env } = serverCommandLine({
    ...{ execPath: process.execPath, extensionDir, cwd: os.homedir(), env: process.env },
    isRestricted: false,
  });
  return {
    ...{ command, env, cwd: os.homedir() },
    args: [path.join(extensionDir, 'bin', 'delegate.cjs')],
  };
}
