import type { Writable } from 'node:stream';
import { watchParent } from './watchParent.ts';

export interface ServerEnd {
  readonly reason: string;
  readonly isDefect: boolean;
}

/**
 * Resolves, with the reason, when there is nobody left to serve.
 *
 * @param stdout the claimed one: it is what fails when the client has closed its end
 */
export function waitForEnd(target: NodeJS.Process, stdout: Writable): Promise<ServerEnd> {
  return new Promise((resolve) => {
    const parent = watchParent(() => resolve({ reason: 'the client is gone', isDefect: false }));
    const end = (reason: string, isDefect = false): void => {
      parent.dispose();
      resolve({ reason, isDefect });
    };
    // A defect of ours: the client starts a new server, and the queue is handed over before this one goes.
    target.on('uncaughtException', (error) =>
      end(`internal error: ${error.stack ?? error.message}`, true),
    );
    target.stdin.once('end', () => end('stdin has ended'));
    target.stdin.once('close', () => end('stdin was closed'));
    stdout.on('error', () => end('nobody reads stdout'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      target.once(signal, () => end(signal));
    }
  });
}
