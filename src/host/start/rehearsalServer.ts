import { createInterface } from 'node:readline';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import { ServerProcess } from '../bridge/serverProcess.ts';
import type { ServerCommandLine } from '../bridge/serverCommandLine.ts';

const START_LIMIT_MS = 20_000;

export interface RunningRehearsal {
  readonly url: string;
  /** Resolves when its process is gone. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts the rehearsal server as a child. It reads its stdin, so it ends with whoever started it, also by SIGKILL.
 * @param commandLine of `delegate`, without arguments
 * @param port 0: a free one
 * @throws BridgeError wrong_state when the port is in use, runner_failed when it does not start
 */
export async function startRehearsalServer(
  commandLine: ServerCommandLine,
  port: number,
  log: HostLog,
): Promise<RunningRehearsal> {
  const args = ['rehearse', '--json', '--with-parent', '--port', String(port)];
  const child = new ServerProcess(
    { ...commandLine, args: [...commandLine.args, ...args] },
    ({ text }) => log.info(`Rehearsal server: ${text}`),
  );
  log.info(`Starting the rehearsal server on port ${port}, process ${child.pid ?? 'not there'}`);
  const lines = createInterface({ input: child.stdout });
  const said = new Promise<string>((resolve) => lines.once('line', resolve));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, START_LIMIT_MS, 'late');
  });
  const first = await Promise.race([said, child.ended, late]);
  clearTimeout(timer);
  if (typeof first === 'string' && first !== 'late') {
    const { url } = JSON.parse(first) as { url: string };
    return { url, ended: child.ended, stop: () => child.stop() };
  }
  await child.stop();
  if (first !== 'late' && first.kind === 'exited' && first.code === 1 && port !== 0)
    throw new BridgeError('wrong_state', `Port ${port} is in use by another program.`);
  throw new BridgeError('runner_failed', 'The rehearsal server did not start.', {
    hint:
      child.lastWords === '' ? 'See the log "Delegation Bridge".' : `It said: ${child.lastWords}`,
  });
}
