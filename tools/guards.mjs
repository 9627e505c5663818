// npm run test:guards: shows that the tests of the invariants can fail. In a scratch copy of the repository it takes each guard of
// tools/guards/guardList.mjs out, runs the test that is named for it, and expects it to go red; first every such test must be green.
//   node tools/guards.mjs [number of an invariant …]     (default: all)
// Exit code 0 only when every test was green with its guard and red without it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GUARDS } from './guards/guardList.mjs';

const TEST_LIMIT_MS = 5 * 60_000;
const BUILD_LIMIT_MS = 2 * 60_000;
/** Two at a time: most of a test is waiting for processes. */
const WORKERS = 2;

const root = path.resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2).map(Number);
const chosen = GUARDS.filter(({ invariant }) => wanted.length === 0 || wanted.includes(invariant));
if (chosen.length === 0 || wanted.some(Number.isNaN)) {
  console.error('usage: node tools/guards.mjs [number of an invariant …]');
  process.exit(2);
}

const startedMs = performance.now();
const copies = await Promise.all(Array.from({ length: WORKERS }, () => makeCopy()));
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of children) endGroup(child);
    removeCopies();
    process.exit(130);
  });
}
let isGood;
try {
  isGood = (await showGreen()) && (await showRed());
} finally {
  removeCopies();
}
console.log(`\n${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
process.exitCode = isGood ? 0 : 1;

/** With all guards in their place. One that is red here would prove nothing later. */
async function showGreen() {
  const tests = [
    ...new Map(chosen.map((guard) => [`${guard.test}\0${guard.grep}`, guard])).values(),
  ];
  console.log(`${tests.length} tests with their guards`);
  for (const copy of copies) {
    if (!(await build(copy))) {
      console.error('The build failed.');
      return false;
    }
  }
  const outcomes = await spread(tests, async (guard, copy) => [guard, await runTest(copy, guard)]);
  const bad = outcomes.filter(([, outcome]) => outcome !== 'green');
  for (const [{ test, grep }, outcome] of bad) console.error(`  ${outcome}: ${test} "${grep}"`);
  return bad.length === 0;
}

async function showRed() {
  console.log(`\n${chosen.length} guards taken out, one at a time`);
  const outcomes = await spread(chosen, async (guard, copy) => {
    const outcome = await withoutGuard(guard, copy);
    const mark = outcome === 'red' ? 'noticed ' : 'UNNOTICED';
    console.log(
      `  ${String(guard.invariant).padStart(2)}  ${mark.padEnd(10)} ${guard.what} (${guard.file})${outcome === 'red' ? '' : `: ${outcome}`}`,
    );
    return outcome;
  });
  const noticed = outcomes.filter((outcome) => outcome === 'red').length;
  console.log(`\n${noticed} of ${chosen.length} removals were noticed`);
  return noticed === chosen.length;
}

async function withoutGuard(guard, copy) {
  const file = path.join(copy, guard.file);
  const original = fs.readFileSync(file, 'utf8');
  const pieces = original.split(guard.find);
  if (pieces.length !== 2) return `its text stands ${pieces.length - 1} times in the file`;
  fs.writeFileSync(file, pieces.join(guard.replace));
  try {
    // A guard that the compiler keeps in place would be one that no test has to; none is of that kind.
    if (!(await build(copy))) return 'without it the bundles cannot be built';
    return await runTest(copy, guard);
  } finally {
    fs.writeFileSync(file, original);
  }
}

/** `green`, `red`, or why it is neither. */
async function runTest(copy, { test, grep }) {
  const report = path.join(copy, 'guard-report.json');
  fs.rmSync(report, { force: true });
  await run(copy, TEST_LIMIT_MS, [
    'node_modules/mocha/bin/mocha.js',
    ...['--config', 'test/mocharc.json', '--timeout', '120000', '--exit', '--fgrep', grep],
    ...['--reporter', 'json', '--reporter-option', `output=${report}`],
    test,
  ]);
  if (!fs.existsSync(report)) return 'the test gave no report';
  const { stats } = JSON.parse(fs.readFileSync(report, 'utf8'));
  if (stats.failures > 0) return 'red';
  return stats.passes === 0 ? 'no test of that name was run' : 'green';
}

async function build(copy) {
  return (await run(copy, BUILD_LIMIT_MS, ['esbuild.mjs'])) === 0;
}

/** Hands the items out to the copies; resolves to the results in the order of the items. */
async function spread(items, work) {
  const results = [];
  let next = 0;
  await Promise.all(
    copies.map(async (copy) => {
      while (next < items.length) {
        const at = next++;
        results[at] = await work(items[at], copy);
      }
    }),
  );
  return results;
}

/** The files that git knows, or would add, as they are now; the modules by a link. */
async function makeCopy() {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'delegation-bridge-guards-'));
  const listing = [];
  const child = spawn('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) listing.push(chunk);
  for (const name of Buffer.concat(listing).toString('utf8').split('\0')) {
    // What is deleted and not yet committed is still listed.
    if (name === '' || !fs.existsSync(path.join(root, name))) continue;
    fs.cpSync(path.join(root, name), path.join(copy, name));
  }
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

function removeCopies() {
  for (const copy of copies) fs.rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs Node in a process group of its own, which ends with it. Resolves to the exit code, null after the limit. */
function run(cwd, limitMs, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: 'ignore', detached: true });
    children.add(child);
    const timer = setTimeout(() => endGroup(child), limitMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      children.delete(child);
      endGroup(child);
      resolve(code);
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // the group is gone already
  }
}
