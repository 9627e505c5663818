import { spawn } from 'node:child_process';
import { HOST_MARKER, JOB_MARKER } from './jobProcesses.ts';

/**
 * Nothing outlives its host: a small `sh` reads a pipe that only the host holds. When the host dies, however it dies, the
 * read ends and the guard kills the job's process groups, then whatever else carries the job's marker. What the host ran for
 * itself is asked first (git then removes its locks) and killed after two seconds.
 * The arguments are the two markers and a file to make when the host is gone; lines on the pipe are `+pgid` and `-pgid`.
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
[ -z "$3" ] || : > "$3"
[ -d /proc/self ] || exit 0
rounds=0
while [ $rounds -lt 50 ]; do
  rounds=$((rounds + 1))
  # The status says nothing: a process that ends meanwhile is an error to grep.
  found=$(grep -lsxzF -e "$1" /proc/[0-9]*/environ 2>/dev/null)
  helpers=$(grep -lsxzF -e "$2" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found$helpers" ] || exit 0
  for file in $found; do pid="\${file#/proc/}"; kill -s KILL "\${pid%/environ}" 2>/dev/null; done
  [ -n "$helpers" ] || continue
  case $rounds in 1) how=TERM ;; 4?) how=KILL ;; *) how= ;; esac
  for file in $helpers; do
    pid="\${file#/proc/}"
    [ -z "$how" ] || kill -s $how "\${pid%/environ}" 2>/dev/null
  done
  sleep 0.05
done
`;

export interface HostGuard {
  readonly pid: number | undefined;
  watch(processGroup: number): void;
  forget(processGroup: number): void;
  /** The host is done: the guard sweeps what is left and ends. Resolves when it has. */
  close(): Promise<void>;
}

export function startHostGuard(jobId: string, endedFile = ''): HostGuard {
  const markers = [`${JOB_MARKER}=${jobId}`, `${HOST_MARKER}=${jobId}`];
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'delegate-guard', ...markers, endedFile], {
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
