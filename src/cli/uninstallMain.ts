import { homedir } from 'node:os';
import { BridgeError } from '../base/bridgeError.ts';
import { uninstall } from '../bridge/setup/uninstall.ts';
import { stateDir } from '../config/paths.ts';

/** VS Code runs this file when the extension has been uninstalled; what it prints is in VS Code's log. */
async function main(): Promise<void> {
  const { env, platform, execPath } = process;
  const homeDir = homedir();
  const lines = await uninstall({
    ...{ env, homeDir, platform, stateDir: stateDir(env, homeDir, platform) },
    installation: { execPath, distDir: __dirname },
  });
  for (const line of lines) console.log(line);
}

main().catch((error: unknown) => {
  const { message, hint } = BridgeError.from(error);
  console.error(`${message} ${hint}`.trim());
  process.exitCode = 1;
});
