import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { realPathOfDeepest } from '../config/paths.ts';
import { BridgeError } from '../base/bridgeError.ts';

/**
 * A job must not work on the state of the bridge or of any runner: a folder that overlaps one of those, by whatever link, is refused.
 * @throws BridgeError workdir_forbidden
 */
export function assertAllowedFolder(
  cwd: string,
  context: { stateDir: string; configDir: string; env: NodeJS.ProcessEnv },
): void {
  const folder = realPathOfDeepest(cwd);
  for (const state of stateFolders(context)) {
    const forbidden = realPathOfDeepest(state);
    if (isInside(folder, forbidden) || isInside(forbidden, folder)) {
      throw new BridgeError(
        'workdir_forbidden',
        `${cwd} overlaps ${state}, which holds the state of an agent or of the bridge.`,
        {
          hint: 'Choose the folder of a project.',
        },
      );
    }
  }
}

function stateFolders(context: {
  stateDir: string;
  configDir: string;
  env: NodeJS.ProcessEnv;
}): string[] {
  const home = context.env['HOME'] ?? homedir();
  return [
    context.stateDir,
    context.configDir,
    context.env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'),
    context.env['CODEX_HOME'] ?? join(home, '.codex'),
    join(home, '.gemini'),
  ];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
