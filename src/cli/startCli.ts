import { runCli } from './runCli.ts';

const KEEP_ALIVE_MS = 60_000;

/** Runs the command line with this process as its world and ends the process with its exit code. */
export async function startCli(argv: readonly string[], distDir: string): Promise<void> {
  hideSqliteWarning();
  // `delegate jobs | head` closes the pipe early; that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const { env, stdin, stdout, stderr } = process;
  // Whatever the engine waits for may be a child that does not keep Node alive: without this the process would end in the
  // middle of a command, in silence and with exit code 0.
  const alive = setInterval(() => undefined, KEEP_ALIVE_MS);
  const exitCode = await runCli(argv, { env, cwd: process.cwd(), stdin, stdout, stderr, distDir });
  clearInterval(alive);
  // What is written to a pipe may still be on its way; then leave, whatever timers a library has left.
  await new Promise<void>((resolve) => {
    stdout.write('', () => resolve());
  });
  process.exit(exitCode);
}

/** Node says of its own database that it is experimental, at every start; a user can do nothing about it. */
function hideSqliteWarning(): void {
  const [printer] = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.includes('SQLite')) return;
    printer?.(warning);
  });
}
