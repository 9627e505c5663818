// Runs test/host inside a real VS Code: builds the bundles and the suites, sets the host up (once per machine), runs each window.
//   node tools/hostTests.mjs [--suite NAME]... [--vscode 1.139|1.104] [--screenshots] [--verbose] [--keep]
//   node tools/hostTests.mjs --electron [--electron-version 1.104.0] [--electron-executable FILE]     through @vscode/test-electron
// NAME.test.ts runs inside the extension host, NAME.outside.test.ts beside it and opens its own windows; test/host/support says how.
// Exit code 0 also when the host cannot be had here: that is one skipped test with its reason.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { finishScreenshots } from './vscode-host/finishScreenshots.mjs';
import { planRuns, SHIM } from './vscode-host/planRuns.mjs';
import { runOutside } from './vscode-host/runOutside.mjs';
import { NEWEST } from './vscode-host/versions.mjs';
import { bundleSuites, stageExtension } from './vscode-host/stage.mjs';
import { setUp } from './vscode-host/setUp.mjs';

/** Windows open at once: each takes about a core while it starts, waits for much of its time, and needs 1.3 GB. */
const WINDOWS_AT_ONCE = 2;
/** More windows with failures than these are no bad luck, and none is run again. */
const MOST_AGAIN = 4;

/**
 * Resolves to { passed, failures: text[], skipped: [reason or title], secondTry: text[] }. Expects the bundles of the product to be
 * built. What runs where is decided in planRuns.mjs. A window with a failure is run once more at the end, with nothing beside it: two
 * on two cores starve each other now and then. What failed only beside another window stands in `secondTry`.
 */
export async function hostTests({ suites, vscode, electron, screenshots, verbose, keep } = {}) {
  const total = { passed: 0, failures: [], skipped: [], secondTry: [] };
  const desktop = process.env.HOST_DESKTOP;
  const planned = await planRuns({
    ...{ suites, electron, desktop },
    vscode: screenshots === true ? NEWEST : vscode, // each picture is taken once
  });
  const runs = setUpFor(planned, screenshots, total);
  if (desktop === undefined && planned.some(isThroughShim))
    total.skipped.push(
      'a desktop VS Code: none is downloaded unasked; HOST_DESKTOP=stable npm test runs the suites in one',
    );
  if (runs.length === 0) return total;

  fs.mkdirSync('dist/test-host', { recursive: true });
  const folder = path.resolve(fs.mkdtempSync('dist/test-host/run-'));
  try {
    await bundleSuites(folder);
    const extension = stageExtension(folder);
    const { runSuite } = await import('./vscode-host/runSuite.mjs');
    const runWindow = async (run) => {
      const lines = [];
      const shotsDir = path.join(folder, `screenshots-${run.suite}`);
      const print = runs.length === 1 ? (line) => console.log(line) : (line) => lines.push(line);
      const startedMs = performance.now();
      const result = await (isOutside(run) ? runOutside : runSuite)({
        ...{ ...run, tests: folder, extension, shotsDir, print, verbose, keep },
        scale: screenshots === true ? 2 : 1,
      }).catch((error) => {
        print(`\n${error.stack}`);
        return { passed: 0, failures: [error.stack], skipped: [] };
      });
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      console.log(`\n${nameOf(run)} (${seconds} s)\n${lines.join('\n')}`);
      if (screenshots === true && result.failures.length === 0)
        finishScreenshots(shotsDir, 'docs/screenshots');
      return {
        passed: result.passed,
        failures: result.failures.map((each) => `${nameOf(run)}: ${each}`),
        skipped: result.skipped.map((each) => `${nameOf(run)}: ${each}`),
        secondTry: result.secondTry?.map((each) => `${nameOf(run)}: ${each}`),
      };
    };
    const again = [];
    const count = ({ passed, failures, skipped, secondTry = [] }) => {
      total.passed += passed;
      total.secondTry.push(...secondTry);
      total.failures.push(...failures);
      total.skipped.push(...skipped);
    };
    await eachAtOnce(WINDOWS_AT_ONCE, runs, async (run) => {
      const result = await runWindow(run);
      if (result.failures.length === 0 || runs.length === 1) count(result);
      else again.push({ run, result });
    });
    for (const { run, result } of again) {
      const second = again.length > MOST_AGAIN ? result : await runWindow(run);
      count(second);
      if (second.failures.length === 0) total.secondTry.push(...result.failures);
    }
  } finally {
    if (keep !== true) fs.rmSync(folder, { recursive: true, force: true });
  }
  return total;
}

/** The runs for which there is a VS Code here; the others are added to the skipped ones of `total`. */
function setUpFor(planned, screenshots, total) {
  const runs = [];
  const unavailable = new Map();
  for (const run of planned) {
    const { vscode } = run;
    if (needsServer(run) && !unavailable.has(vscode))
      unavailable.set(vscode, setUp(vscode, { withFonts: screenshots === true }));
    const reason = needsServer(run) ? unavailable.get(vscode) : null;
    if (reason !== null) total.skipped.push(`${nameOf(run)}: ${reason}`);
    else if (isOutside(run) && run.electron !== undefined)
      total.skipped.push(`${nameOf(run)}: nobody drives the page of a desktop VS Code`);
    else runs.push(run);
  }
  return runs;
}

function isThroughShim({ electron }) {
  return electron?.executable === SHIM;
}

/** False for a real desktop VS Code, which @vscode/test-electron downloads or is shown. */
function needsServer({ electron }) {
  return electron === undefined || isThroughShim({ electron });
}

function isOutside({ suite }) {
  return suite.endsWith('.outside');
}

function nameOf({ suite, vscode, electron }) {
  if (electron === undefined) return `${suite}, VS Code ${vscode}`;
  return `${suite}, through @vscode/test-electron (${electron.executable ?? electron.version ?? 'stable'})`;
}

async function eachAtOnce(count, items, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

if (
  process.argv[1] !== undefined &&
  import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href
) {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', multiple: true },
      vscode: { type: 'string' },
      electron: { type: 'boolean' },
      'electron-version': { type: 'string' },
      'electron-executable': { type: 'string' },
      screenshots: { type: 'boolean' },
      verbose: { type: 'boolean' },
      keep: { type: 'boolean' },
    },
  });
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(1);
  const { suite: suites, vscode, screenshots, verbose, keep } = values;
  const electron =
    values.electron === true
      ? { version: values['electron-version'], executable: values['electron-executable'] }
      : undefined;
  const { passed, failures, skipped, secondTry } = await hostTests({
    ...{ suites, vscode, electron, screenshots, verbose, keep },
  });
  for (const each of skipped) console.log(`skipped: ${each}`);
  for (const each of secondTry) console.log(`passed only when run again alone: ${each}`);
  console.log(`${passed} passed, ${failures.length} failed, ${skipped.length} skipped`);
  process.exitCode = failures.length > 0 || passed + skipped.length === 0 ? 1 : 0;
}
