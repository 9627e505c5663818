// npm test: builds, runs every layer in order, and ends with one line of totals over all of them.
//   node tools/test.mjs [unit|integration|host ...]     (default: all)
// Exit code 0 only when nothing failed and every layer ran at least one test, or says why it could not.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hostTests } from './hostTests.mjs';

const MINUTE_MS = 60_000;
/** Of one failure, in the list at the end; all of it stands with its test. */
const SHOWN_CHARS = 1_500;

/** Limits for a machine under load: they are there to end what hangs, not to measure. With everything else .ci/run stays below an hour. */
const LAYERS = {
  unit: () =>
    mochaLayer('test/unit/**/*.test.ts', { limitMs: 12 * MINUTE_MS, testTimeoutMs: MINUTE_MS }),
  integration: () =>
    mochaLayer('test/integration/**/*.test.ts', {
      limitMs: 35 * MINUTE_MS,
      testTimeoutMs: 2 * MINUTE_MS,
      // Many of its tests race real processes on whatever machine this is. One that needs its second try is listed with what it said.
      retries: 1,
    }),
  host: () => hostTests(),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LAYERS);
const unknown = wanted.filter((name) => !(name in LAYERS));
if (unknown.length > 0) {
  console.error(
    `There is no layer ${unknown.join(', ')}; the layers are ${Object.keys(LAYERS).join(', ')}.`,
  );
  process.exit(2);
}

heading('build');
if ((await run(process.execPath, ['esbuild.mjs'], 5 * MINUTE_MS)) !== 0) {
  console.error('The build failed; no test was run.');
  process.exit(1);
}

const total = { passed: 0, failures: [], skipped: [], secondTry: [] };
for (const name of wanted) {
  heading(`${name} tests`);
  const startedMs = performance.now();
  const result = await LAYERS[name]().catch((error) => {
    console.error(error);
    return { passed: 0, failures: [String(error.stack)], skipped: [] };
  });
  if (result.passed + result.failures.length + result.skipped.length === 0)
    result.failures.push(`The ${name} layer has run no test.`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${counts(result)}, in ${seconds} s`);
  total.passed += result.passed;
  total.failures.push(...result.failures);
  total.skipped.push(...result.skipped);
  total.secondTry.push(...(result.secondTry ?? []));
}

list('skipped', total.skipped);
list('passed only when run again', total.secondTry);
list('failed', total.failures);
console.log(`\n${counts(total)}`);
process.exitCode = total.failures.length === 0 ? 0 : 1;

function counts({ passed, failures, skipped }) {
  return `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`;
}

function list(title, texts) {
  if (texts.length > 0) heading(title);
  for (const each of texts) console.log(each.trim().slice(0, SHOWN_CHARS).replace(/^/gm, '  '));
}

function heading(text) {
  console.log(`\n== ${text}`);
}

/** One mocha process over the files of a layer. A run that broke off before its end is one failure. */
async function mochaLayer(files, { limitMs, testTimeoutMs, retries = 0 }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'delegation-bridge-test-'));
  const totals = path.join(folder, 'totals.json');
  try {
    const code = await run(
      process.execPath,
      [
        'node_modules/mocha/bin/mocha.js',
        ...['--config', 'test/mocharc.json', '--no-color'],
        ...['--reporter', './tools/totalsReporter.mjs', '--reporter-option', `totals=${totals}`],
        ...['--timeout', String(testTimeoutMs), '--retries', String(retries)],
        files,
      ],
      limitMs,
    );
    if (!fs.existsSync(totals))
      return { passed: 0, failures: [`${files} did not come to its end.`], skipped: [] };
    const result = JSON.parse(fs.readFileSync(totals, 'utf8'));
    // A late rejection can fail the process without failing a test.
    if (code !== 0 && result.failures.length === 0)
      result.failures.push(`${files} ended with ${code}, though no test failed.`);
    return result;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program in a process group of its own, which ends with it. Resolves to its exit code, null when it took too long. */
function run(command, args, limitMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // the group is gone already
      }
    };
    const timer = setTimeout(() => {
      console.error(`${args[0]} was ended: it took longer than ${limitMs / MINUTE_MS} min.`);
      endGroup();
    }, limitMs);
    const onSignal = () => {
      endGroup();
      process.exit(130);
    };
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      endGroup();
      resolve(code);
    });
  });
}
