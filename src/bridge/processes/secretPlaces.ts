import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { configDir, stateDir } from '../../config/paths.ts';

/** Where programs keep keys, tokens and sessions, and sockets of container engines, below the home folder. */
const IN_HOME = [
  '.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', '.colima', '.rd', '.lima', '.netrc', '.git-credentials', '.npmrc', '.pypirc', '.vault-token',
  '.password-store', '.claude.json', '.claude/.credentials.json', '.codex/auth.json', '.gemini', '.cargo/credentials.toml',
  '.config/gcloud', '.config/gh', '.config/git/credentials', '.config/op', '.local/share/keyrings', '.mozilla',
  '.config/google-chrome', '.config/chromium', 'Library/Keychains', 'Library/Cookies',
  'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox',
]; // prettier-ignore

/** What a command in a jail is not to see: the keys of the user, and the bridge's own folders. Real paths, those that exist. */
export function secretPlaces(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  const home = env['HOME'] ?? homedir();
  const places = [
    ...IN_HOME.map((place) => join(home, place)),
    configDir(env, home, platform),
    stateDir(env, home, platform),
  ];
  return [...new Set(places.flatMap(realPath))];
}

function realPath(place: string): string[] {
  try {
    return [realpathSync(place)];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // What this user cannot reach, the command cannot either.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(code ?? '')) return [];
    throw error;
  }
}
