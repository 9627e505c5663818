import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { stateDir } from '../config/paths.ts';

/**
 * Keeps compiled code in the state dir for the next start: compiling takes a third of the time from start to `tools/list`. Acts
 * on what is loaded after it. Without a state dir there is nothing to keep it in; the engine makes one, with its own permissions.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  const dir = usableStateDir(env);
  if (dir !== null && existsSync(dir)) enableCompileCache(join(dir, 'cache', 'node'));
}

/** Null when the environment names one that cannot be used: the first call of a tool says what is wrong with it. */
function usableStateDir(env: NodeJS.ProcessEnv): string | null {
  try {
    return stateDir(env, homedir(), process.platform);
  } catch (error) {
    if (error instanceof BridgeError) return null;
    throw error;
  }
}
