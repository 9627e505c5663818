import { spawn } from 'node:child_process';
import { JOB_MARKER } from './jobProcesses.ts';

/**
 * Nothing outlives its host: a small `sh` reads a pipe that only the host holds. When the host dies, however it dies, the
 * read ends and the guard kills the job's process groups, then whatever else carries the job's marker.
 * The first argument is the marker; lines on the pipe are `+pgid` and `-pgid`.
 */
const SCRIPT = `
groups=" "
while read -r line; do
  case "$line" in
    +*) groups="$groups\${line#+} " ;;
    -*) gone="\${line#-}"; groups=$(printf '%s' "$groups" | sed "s/ $gone / /") ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
[ -d /proc/self ] || exit 0
rounds=0
while [ $rounds -lt 50 ]; do
  rounds=$((rounds + 1))
  # The status says nothing: a process that ends meanwhile is an error to grep.
  found=$(grep -lsxzF -e "$1" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do pid="\${file#/proc/}"; kill -s KILL "\${pid%/environ}" 2>/dev/null; done
done
`;

export interface HostGuard {
  readonly pid: number | undefined;
  watch(processGroup: number): void;
  forget(processGroup: number): void;
  /** The host is done: the guard sweeps what is left and ends. Resolves when it has. */
  close(): Promise<void>;
}

export function startHostGuard(jobId: string): HostGuard {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'delegate-guard', `${JOB_MARKER}=${jobId}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // The guard may be killed by somebody; the host then goes on, and the reaper that looks later takes its place.
  child.stdin.on('error', () => undefined);
  child.unref();
  return {
    pid: child.pid,
    watch: (group) => void child.stdin.write(`+${group}\n`),
    forget: (group) => void child.stdin.write(`-${group}\n`),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
