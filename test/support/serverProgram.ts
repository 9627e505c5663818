import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerProgramOptions {
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Answers with a success once the server is ready. */
  readonly readyPath: string;
  readonly startTimeoutMs: number;
  /** Done once the program is gone. */
  readonly cleanUp: () => Promise<void>;
}

export interface ServerProgram {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** What it wrote, for the message of a failed test. */
  output(): string;
  /** Ends the program with everything it started. */
  stop(): Promise<void>;
}

/** Starts a server on a free port; rejects with its output when it does not get ready. */
export async function startServerProgram(options: ServerProgramOptions): Promise<ServerProgram> {
  const port = await freePort();
  // In a process group of its own, so that it can be ended as a tree.
  const child = spawn(options.command, options.args(port), {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let ended: string | null = null;
  const end = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void (ended = error.message)));
    child.once('exit', (code, signal) => resolve(void (ended = `exit ${code ?? signal ?? ''}`)));
  });
  const killTree = (): void => {
    if (child.pid === undefined || ended !== null) return;
    process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', killTree);
  const stop = async (): Promise<void> => {
    killTree();
    await end;
    process.off('exit', killTree);
    await options.cleanUp();
  };

  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + options.startTimeoutMs;
  while (!(await isReady(url + options.readyPath))) {
    if (ended !== null || performance.now() > deadlineMs) {
      const why = ended ?? `not ready within ${options.startTimeoutMs / 1000} s`;
      await stop();
      throw new Error(`${options.command} did not start (${why}):\n${output}`);
    }
    await delay(20);
  }
  return { url, output: () => output, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
