import { homedir } from 'node:os';
import type { BridgeApi } from './bridgeApi.ts';

/** The real engine, loaded at this call and not before. Throws BridgeError when its folders cannot be used. */
export async function createBridge(options: {
  readonly env: NodeJS.ProcessEnv;
  readonly configFile: string | null;
  readonly isRestricted: boolean;
  readonly distDir: string;
}): Promise<BridgeApi> {
  const { Bridge } = await import('../bridge/bridge.ts');
  return new Bridge({
    env: options.env,
    homeDir: homedir(),
    configFile: options.configFile,
    installation: { execPath: process.execPath, distDir: options.distDir },
    isRestricted: options.isRestricted,
  });
}
