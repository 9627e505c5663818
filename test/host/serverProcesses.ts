import * as fs from 'node:fs';

/**
 * The servers that the extension has started in this host, by /proc: their process ids and arguments. One of another profile is
 * VS Code's own child: older versions start what the extension offers to their agent mode by themselves.
 */
export function serverProcesses(): { readonly pid: number; readonly args: readonly string[] }[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [status, commandLine] = [read(`/proc/${name}/status`), read(`/proc/${name}/cmdline`)];
      const isChild = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status);
      const args = commandLine.split('\0').slice(0, -1);
      const isServer = args.some((arg) => arg.endsWith('/dist/server.cjs'));
      return isChild && isServer && args.includes('ui') ? [{ pid: Number(name), args }] : [];
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
