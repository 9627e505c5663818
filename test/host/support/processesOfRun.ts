import { allProcesses, environmentOf, type SeenProcess } from '../../support/killProcesses.ts';

export interface RunProcess extends SeenProcess {
  /** A job's host, its guard or its agent: those outlive the window. */
  readonly isOfJob: boolean;
}

/** Every living process that was started with the state dir below `scratch`, this one aside. */
export function processesOfRun(scratch: string): RunProcess[] {
  return allProcesses().flatMap((seen) => {
    if (seen.pid === process.pid) return [];
    const environment = environmentOf(seen.pid);
    if (!environment.includes(`DELEGATE_STATE=${scratch}`)) return [];
    const isOfJob =
      /(^|\0)DELEGATE_JOB/.test(environment) ||
      seen.argv.some((each) => each.endsWith('/jobHost.cjs') || each === 'delegate-guard');
    return [{ ...seen, isOfJob }];
  });
}
