import { readdirSync, readFileSync } from 'node:fs';

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
}

/** Every living process of this machine, zombies left out. Linux only, like the kill tests. */
export function allProcesses(): SeenProcess[] {
  const found: SeenProcess[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readProc(`/proc/${name}/stat`);
    const argv = readProc(`/proc/${name}/cmdline`);
    if (stat === null || argv === null) continue;
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') continue;
    found.push({ pid, parent: Number(parent), argv: argv.split('\0').slice(0, -1) });
  }
  return found;
}

/** Whatever has to do with a job: its host, its guard, git in its worktree, and what carries its marks. */
export function processesOf(jobId: string): SeenProcess[] {
  return allProcesses().filter(
    ({ pid, argv }) =>
      pid !== process.pid &&
      (argv.some((argument) => argument.includes(jobId)) || environmentOf(pid).includes(jobId)),
  );
}

/** Empty for a process that has gone. */
export function environmentOf(pid: number): string {
  return readProc(`/proc/${pid}/environ`) ?? '';
}

export function hostOf(jobId: string): SeenProcess {
  return only(
    processesOf(jobId).filter(({ argv }) => argv[1]?.endsWith('jobHost.cjs') === true),
    `host of ${jobId}`,
  );
}

export function guardOf(jobId: string): SeenProcess {
  return only(
    processesOf(jobId).filter(({ argv }) => argv[3] === 'delegate-guard'),
    `guard of ${jobId}`,
  );
}

/** The Claude Code that a host drives, without what that has started. */
export function claudeOf(jobId: string): SeenProcess {
  const host = hostOf(jobId).pid;
  return only(
    processesOf(jobId).filter(
      ({ parent, argv }) => parent === host && argv.some((argument) => argument === 'stream-json'),
    ),
    `claude of ${jobId}`,
  );
}

function only(found: readonly SeenProcess[], what: string): SeenProcess {
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new Error(`there are ${found.length} processes that could be the ${what}`);
  return first;
}

/** Null for a process that ended meanwhile, or is another user's. */
function readProc(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}
