import { join } from 'node:path';
import type { SetupOptions } from './setupTypes.ts';

const SCRIPT = 'prompt-hook.sh';

/** Beside the launcher: a place that no update moves. */
export function hookScriptPath({ stateDir }: SetupOptions): string {
  return join(stateDir, 'bin', SCRIPT);
}

/**
 * What Claude Code hands to its shell. `sh FILE` needs no right to execute; a script or a shell that is gone says nothing and stops
 * nobody. Claude Code on Windows runs hooks in Git Bash, which wants forward slashes.
 */
export function hookCommand(options: SetupOptions): string {
  const path = hookScriptPath(options);
  const script = options.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return `sh '${script.replaceAll("'", `'\\''`)}' 2>/dev/null || true`;
}

/** Whether a command runs this script of ours, from whatever state dir. */
export function isHookCommand(command: string): boolean {
  return /[\\/]bin[\\/]prompt-hook\.sh\b/.test(command) && /^sh '/.test(command);
}
