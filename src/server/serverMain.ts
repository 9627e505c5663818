import type { Writable } from 'node:stream';

/** The second bundle of the server: see runServer(). Loaded at this call, so that nothing of it runs when the bundle is read. */
export async function serverMain(
  argv: readonly string[],
  stdout: Writable,
  distDir: string,
): Promise<number> {
  const { runServer } = await import('./runServer.ts');
  return runServer(argv, stdout, distDir);
}
