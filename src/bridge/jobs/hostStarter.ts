import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { withoutMarkers } from '../processes/jobProcesses.ts';
import { createJobDir } from './jobPaths.ts';

export interface HostStarterOptions {
  readonly stateDir: string;
  /** The runtime that runs this process: Node, or VS Code's Electron run as Node. */
  readonly execPath: string;
  readonly jobHostFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** The host ended; when it never came to hold its lock, admission need not wait for the deadline. */
  readonly onHostExit: (jobId: string) => void;
}

/** Starts the process of one job, detached: it outlives whoever asked for it. */
export class HostStarter {
  readonly #options: HostStarterOptions;

  constructor(options: HostStarterOptions) {
    this.#options = options;
  }

  start(jobId: string): void {
    const { stateDir, execPath, jobHostFile, env, onHostExit } = this.#options;
    const log = openSync(join(createJobDir(stateDir, jobId), 'host.log'), 'a', 0o600);
    const isElectron = process.versions['electron'] !== undefined;
    const child = spawn(execPath, [jobHostFile, jobId], {
      cwd: stateDir,
      detached: true,
      stdio: ['ignore', log, log],
      windowsHide: true,
      env: {
        ...withoutMarkers(env),
        DELEGATE_STATE: stateDir,
        // Compiling the bundle is most of a host's start.
        NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(stateDir, 'cache', 'node'),
        ...(isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
      },
    });
    closeSync(log);
    child.once('error', () => onHostExit(jobId));
    child.once('exit', () => onHostExit(jobId));
    child.unref();
  }
}
