import { statSync } from 'node:fs';
import { join } from 'node:path';
import { jobDir } from './jobs/jobPaths.ts';
import { namesIn } from './namesIn.ts';
import { SUBMITTED_CONFIG } from './submittedConfig.ts';

/** Far longer than a job is on its way from its folder into the store. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;
/** What is there before a job is in the store. A folder that holds more belongs to a job that ran, whatever has become of the store. */
const WRITTEN_FIRST: ReadonlySet<string> = new Set(['task.md', SUBMITTED_CONFIG]);

/** Folders of jobs that never came into the store: the process that took them was killed in between. */
export function strayJobFolders(
  stateDir: string,
  known: ReadonlySet<string>,
  nowMs: number,
): string[] {
  return namesIn(join(stateDir, 'jobs'))
    .filter((id) => !known.has(id))
    .map((id) => jobDir(stateDir, id))
    .filter((folder) => {
      const stat = statSync(folder, { throwIfNoEntry: false });
      if (stat?.isDirectory() !== true || nowMs - stat.mtimeMs <= MIN_AGE_MS) return false;
      return namesIn(folder).every((name) => WRITTEN_FIRST.has(name));
    });
}
