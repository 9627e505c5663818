import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What a launcher runs, as writeLauncher() has written it: script and program; null when there is none of ours. */
export async function launcherTarget(file: string): Promise<readonly string[] | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const [, node, script] = /^"(.*?)" "(.*?)" %\*\r?$/m.exec(text) ?? [];
  if (node !== undefined && script !== undefined) {
    return [node, script].map((part) => part.replaceAll('%%', '%'));
  }
  const quoted = ['script', 'node'].map(
    (name) => new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, 'm').exec(text)?.[1],
  );
  const known = quoted.filter((part) => part !== undefined);
  return known.length === 0 ? null : known.map((part) => part.replaceAll(`'\\''`, "'"));
}

/** Whether a launcher is there and what it runs is there as well. */
export async function isLauncherWhole(file: string): Promise<boolean> {
  const parts = await launcherTarget(file);
  return parts !== null && parts.every((part) => existsSync(part));
}
