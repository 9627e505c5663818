import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Every process of a job carries this variable, whatever session or process group it made for itself: Claude Code starts
 * each Bash command in a session of its own, so a process group alone would miss them.
 */
export const JOB_MARKER = 'DELEGATE_JOB';

/**
 * Carried by what the host runs for itself, git above all, and with it by git's filters. It ends with the host as well, but it is
 * asked first: git removes its lock files on SIGTERM, and a lock left in the user's repository would be in the user's way.
 */
export const HOST_MARKER = 'DELEGATE_HOST';

/** An environment for a job of its own: one that is started from inside another job does not end with that one. */
export function withoutMarkers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [JOB_MARKER]: undefined, [HOST_MARKER]: undefined };
}

const HELPER_GRACE_MS = 2_000;
const HELPER_POLL_MS = 20;
const KILL_LIMIT_MS = 2_000;
const KILL_POLL_MS = 2;

const HAS_PROC = process.platform === 'linux' && existsSync('/proc/self/environ');

/** The living processes that carry the job's marker, in this pid namespace. Zombies do not count. */
export function listJobProcesses(jobId: string): number[] {
  return listMarked(JOB_MARKER, jobId);
}

/** The same for what the job's host runs for itself. */
export function listHostHelpers(jobId: string): number[] {
  return listMarked(HOST_MARKER, jobId);
}

function listMarked(marker: string, jobId: string): number[] {
  return HAS_PROC ? listByProc(`${marker}=${jobId}`) : listByPs(`${marker}=${jobId}`);
}

function listByProc(entry: string): number[] {
  const marker = `\0${entry}\0`;
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

function listByPs(entry: string): number[] {
  const listing = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return (listing.stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(entry))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * For jobs whose host is gone: kills what the job started at once and without asking, and what the host ran for itself when it
 * does not end within two seconds. Blocks until all are gone. Returns how many of the job's were still there.
 */
export function killJobProcesses(jobId: string): number {
  for (const pid of listHostHelpers(jobId)) signalProcess(pid, 'SIGTERM');
  const killed = killMarked(JOB_MARKER, jobId);
  const deadline = performance.now() + HELPER_GRACE_MS;
  while (listHostHelpers(jobId).length > 0 && performance.now() < deadline) sleepMs(HELPER_POLL_MS);
  killMarked(HOST_MARKER, jobId);
  return killed;
}

function sleepMs(timeMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeMs);
}

/**
 * A process may fork while it is being killed, and one that was killed takes its time to go on a busy machine: it is looked again
 * until none is left. What the kernel does not let go within the limit (a dead network drive) is given up.
 */
function killMarked(marker: string, jobId: string): number {
  const seen = new Set<number>();
  const deadline = performance.now() + KILL_LIMIT_MS;
  for (;;) {
    const pids = listMarked(marker, jobId);
    if (pids.length === 0 || performance.now() > deadline) return seen.size;
    for (const pid of pids) {
      seen.add(pid);
      signalProcess(pid, 'SIGKILL');
    }
    sleepMs(KILL_POLL_MS);
  }
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
    const pids = listJobProcesses(jobId);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    await delay(20);
  }
}
