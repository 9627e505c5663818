import * as path from 'node:path';

/** Stands in for src/config/paths.ts until that is there. */
export function stateDir(env: NodeJS.ProcessEnv, homeDir: string): string {
  const base = env['XDG_STATE_HOME'] ?? path.join(homeDir, '.local', 'state');
  return env['DELEGATE_STATE'] ?? path.join(base, 'delegation-bridge');
}
