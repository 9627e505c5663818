import * as path from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { prepareStateDir, stateDir } from '../../config/paths.ts';
import type { HostLog } from './hostLog.ts';
import { writeLauncher } from '../../config/launcher.ts';

/** Points the launcher in the state dir at this version. A failure is logged and changes nothing else. */
export async function installLauncher(options: {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly extensionDir: string;
  readonly log: HostLog;
}): Promise<void> {
  const { env, homeDir, platform, execPath, extensionDir, log } = options;
  try {
    const dir = stateDir(env, homeDir, platform);
    prepareStateDir(dir);
    const script = path.join(extensionDir, 'bin', 'delegate.cjs');
    log.info(`Launcher: ${await writeLauncher(dir, { execPath, script }, platform)}`);
  } catch (error) {
    const { message, hint } = BridgeError.from(error);
    log.error(`The launcher was not written. ${message} ${hint}`.trim());
  }
}
