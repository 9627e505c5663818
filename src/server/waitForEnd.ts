import { watchParent } from './watchParent.ts';

/** Resolves, with the reason, when there is nobody left to serve. */
export function waitForEnd(target: NodeJS.Process): Promise<string> {
  return new Promise((resolve) => {
    const parent = watchParent(() => resolve('the client is gone'));
    const end = (reason: string): void => {
      parent.dispose();
      resolve(reason);
    };
    target.stdin.once('end', () => end('stdin has ended'));
    target.stdin.once('close', () => end('stdin was closed'));
    target.stdout.once('error', () => end('nobody reads stdout'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      target.once(signal, () => end(signal));
    }
  });
}
