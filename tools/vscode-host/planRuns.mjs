import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NEWEST, OLDEST, VERSIONS } from './versions.mjs';

/**
 * Which suites run in which VS Code: all in the newest, and in the oldest those whose NAME.window.ts says `isForOldest`.
 * `suites` and `vscode` choose instead.
 */
export async function planRuns({ suites, vscode }) {
  const known = fs
    .globSync('test/host/*.test.ts')
    .map((file) => path.basename(file, '.test.ts'))
    .sort();
  const unknown = (suites ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no suite ${unknown.join(', ')}; the suites are ${known.join(', ')}.`);
  if (vscode !== undefined && !(vscode in VERSIONS))
    throw new Error(`VS Code ${vscode} is none of ${Object.keys(VERSIONS).join(', ')}.`);
  if (suites !== undefined || vscode !== undefined)
    return [{ version: vscode ?? NEWEST, suites: suites ?? known }];
  const forOldest = [];
  for (const suite of known) if (await isForOldest(suite)) forOldest.push(suite);
  return [
    { version: NEWEST, suites: known },
    { version: OLDEST, suites: forOldest },
  ];
}

async function isForOldest(suite) {
  const file = path.resolve(`test/host/${suite}.window.ts`);
  if (!fs.existsSync(file)) return false;
  const { window } = await import(pathToFileURL(file).href);
  return window.isForOldest === true;
}
