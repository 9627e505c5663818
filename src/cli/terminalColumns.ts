import type { CliContext } from './cliContext.ts';

/** Width of the terminal that stdout is; null for a pipe or a file, whose readers get long lines. */
export function terminalColumns({ isTTY, columns }: CliContext['stdout']): number | null {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : null;
}
