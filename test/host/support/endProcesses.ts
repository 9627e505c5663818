import { rmSync } from 'node:fs';
import { processesOfRun } from './processesOfRun.ts';

/** Kills every process of a run and removes its files: for a run that has no time to end in good order. */
export function endProcesses(scratch: string): void {
  for (const { pid } of processesOfRun(scratch)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has gone meanwhile
    }
  }
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
