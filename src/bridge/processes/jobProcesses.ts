import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Every process of a job carries this variable, whatever session or process group it made for itself: Claude Code starts
 * each Bash command in a session of its own, so a process group alone would miss them.
 */
export const JOB_MARKER = 'DELEGATE_JOB';

const HAS_PROC = process.platform === 'linux' && existsSync('/proc/self/environ');

/** The living processes that carry the job's marker, in this pid namespace. Zombies do not count. */
export function listJobProcesses(jobId: string): number[] {
  return HAS_PROC ? listByProc(jobId) : listByPs(jobId);
}

function listByProc(jobId: string): number[] {
  const marker = `\0${JOB_MARKER}=${jobId}\0`;
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    // A process that ended meanwhile, or is another user's, is none of ours.
    const environment = readProcFile(`/proc/${name}/environ`);
    if (environment !== null && `\0${environment}\0`.includes(marker)) found.push(pid);
  }
  return found;
}

function readProcFile(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ESRCH' || code === 'EPERM') return null;
    throw error;
  }
}

function listByPs(jobId: string): number[] {
  const listing = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return (listing.stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(`${JOB_MARKER}=${jobId}`))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills at once and without asking; for jobs whose host is gone. Returns how many were still there. */
export function killJobProcesses(jobId: string): number {
  let killed = 0;
  // A process may fork while it is being killed, so it is looked for again until none is left.
  for (let round = 0; round < 20; round += 1) {
    const pids = listJobProcesses(jobId);
    if (pids.length === 0) break;
    killed += pids.length;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
  }
  return killed;
}

/** Ends every process of the job: SIGTERM, up to `graceMs`, then SIGKILL; resolves when none is left. */
export async function endJobProcesses(jobId: string, graceMs: number): Promise<void> {
  for (const pid of listJobProcesses(jobId)) signalProcess(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    if (listJobProcesses(jobId).length === 0) return;
    await delay(20);
  }
  for (let round = 0; round < 100; round += 1) {
    if (killJobProcesses(jobId) === 0) return;
    await delay(20);
  }
}
