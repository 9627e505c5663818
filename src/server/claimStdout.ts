import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol: what anybody else writes there (console.log, a library's greeting) goes to stderr from now
 * on, and node:sqlite's warning that it is experimental is not shown. Called before anything else is loaded.
 *
 * @returns the only way to the real stdout
 */
export function claimStdout(target: NodeJS.Process): Writable {
  const { stdout, stderr } = target;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  target.removeAllListeners('warning');
  target.on('warning', (warning) => {
    if (isSqliteWarning(warning)) return;
    const line = {
      level: 'warning',
      time: new Date().toISOString(),
      component: 'node',
      message: `${warning.name}: ${warning.message}`,
    };
    stderr.write(`${JSON.stringify(line)}\n`);
  });
  // A client that closes its end is told by an error of the returned stream; nobody else may end the process for it.
  stdout.removeAllListeners('error');
  stdout.on('error', () => undefined);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      write(chunk, (error) => done(error ?? null));
    },
  });
}

function isSqliteWarning(warning: Error): boolean {
  return warning.name === 'ExperimentalWarning' && warning.message.includes('SQLite');
}
