import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NEWEST, OLDEST, VERSIONS } from './versions.mjs';

/** Stands in for the executable of a desktop VS Code. */
export const SHIM = 'tools/vscode-host/codeShim.mjs';
/** Shows that the way through @vscode/test-electron works where no desktop VS Code can be had. */
const SUITES_FOR_SHIM = ['trusted'];

/**
 * Which suites run in which VS Code, as [{ suite, vscode, electron? }]. By default: all in the newest; those whose NAME.window.ts
 * says `isForOldest` in the oldest; one through @vscode/test-electron with a stand-in for the desktop's VS Code; and with `desktop`, a
 * version or "stable", all in a VS Code that @vscode/test-electron downloads.
 * `suites`, `vscode` and `electron` ({ version, executable }) choose instead.
 */
export async function planRuns({ suites, vscode, electron, desktop }) {
  const known = fs
    .globSync('test/host/*.test.ts')
    .map((file) => path.basename(file, '.test.ts'))
    .sort();
  const unknown = (suites ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no suite ${unknown.join(', ')}; the suites are ${known.join(', ')}.`);
  if (vscode !== undefined && !(vscode in VERSIONS))
    throw new Error(`VS Code ${vscode} is none of ${Object.keys(VERSIONS).join(', ')}.`);
  const wanted = suites ?? known;
  if (electron !== undefined) return wanted.map((suite) => ({ suite, vscode: NEWEST, electron }));
  if (suites !== undefined || vscode !== undefined)
    return wanted.map((suite) => ({ suite, vscode: vscode ?? NEWEST }));
  const forOldest = [];
  for (const suite of known) if (await isForOldest(suite)) forOldest.push(suite);
  return [
    ...known.map((suite) => ({ suite, vscode: NEWEST })),
    ...forOldest.map((suite) => ({ suite, vscode: OLDEST })),
    ...SUITES_FOR_SHIM.map((suite) => ({ suite, vscode: NEWEST, electron: { executable: SHIM } })),
    ...(desktop === undefined
      ? []
      : known.map((suite) => ({ suite, vscode: NEWEST, electron: { version: desktop } }))),
  ];
}

async function isForOldest(suite) {
  const file = path.resolve(`test/host/${suite}.window.ts`);
  if (!fs.existsSync(file)) return false;
  const { window } = await import(pathToFileURL(file).href);
  return window.isForOldest === true;
}
