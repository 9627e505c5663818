import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const WATCH_HINT =
  'Run this command in the background (Bash with run_in_background, or Monitor): it prints one line and exits when the job ends. This server cannot wake you.';

/** The exact command that waits for jobs: the launcher at its stable path where there is one, so that no PATH is needed. */
export function watchCommand(
  stateDir: string,
  jobIds: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string {
  const launcher = join(stateDir, 'bin', platform === 'win32' ? 'delegate.cmd' : 'delegate');
  const program = existsSync(launcher) ? quoteIfNeeded(launcher, platform) : 'delegate';
  return [program, 'wait', ...jobIds].join(' ');
}

function quoteIfNeeded(path: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path)) return path;
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}
