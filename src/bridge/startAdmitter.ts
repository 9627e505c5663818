import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withoutMarkers } from './processes/jobProcesses.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { Installation } from './bridgeTypes.ts';

/** Starts `delegate admit`, detached: it looks after the queue until a job runs whose end admits the next. */
export function startAdmitter(context: BridgeContext, installation: Installation): void {
  const isElectron = process.versions['electron'] !== undefined;
  const child = spawn(installation.execPath, [join(installation.distDir, 'cli.cjs'), 'admit'], {
    cwd: context.stateDir,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: {
      ...withoutMarkers(context.env),
      DELEGATE_STATE: context.stateDir,
      ...(context.configFile === null ? {} : { DELEGATE_CONFIG: context.configFile }),
      ...(isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
    },
  });
  child.on('error', (error) =>
    process.stderr.write(`The admitter could not be started: ${error.message}\n`),
  );
  child.unref();
}
