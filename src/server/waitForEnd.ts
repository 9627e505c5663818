import type { Writable } from 'node:stream';
import { watchParent } from './watchParent.ts';

/**
 * Resolves, with the reason, when there is nobody left to serve.
 *
 * @param stdout the claimed one: it is what fails when the client has closed its end
 */
export function waitForEnd(target: NodeJS.Process, stdout: Writable): Promise<string> {
  return new Promise((resolve) => {
    const parent = watchParent(() => resolve('the client is gone'));
    const end = (reason: string): void => {
      parent.dispose();
      resolve(reason);
    };
    target.stdin.once('end', () => end('stdin has ended'));
    target.stdin.once('close', () => end('stdin was closed'));
    stdout.on('error', () => end('nobody reads stdout'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      target.once(signal, () => end(signal));
    }
  });
}
