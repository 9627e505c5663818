import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPathOfDeepest } from '../config/paths.ts';

/** Without git, since a view asks at every change: the nearest folder with a `.git`, or the folder itself where there is none. */
export function repositoryTop(folder: string): string {
  const start = realPathOfDeepest(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return start;
  }
}
