import * as fs from 'node:fs';

/** The server children of this extension host, by /proc: their process ids and arguments. */
export function serverProcesses(): { readonly pid: number; readonly args: readonly string[] }[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [status, commandLine] = [read(`/proc/${name}/status`), read(`/proc/${name}/cmdline`)];
      const isChild = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status);
      const args = commandLine.split('\0').slice(0, -1);
      return isChild && args.some((arg) => arg.endsWith('/dist/server.cjs'))
        ? [{ pid: Number(name), args }]
        : [];
    });
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return ''; // it ended while we looked
    throw error;
  }
}
