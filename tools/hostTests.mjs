// Runs test/host inside a real VS Code: builds the bundles and the suites, sets the host up (once per machine), runs each window.
//   node tools/hostTests.mjs [--verbose] [--keep]
// Exit code 0 also when the host cannot be had here: that is one skipped test with its reason.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { vsixFiles } from './vsixFiles.mjs';

const TESTS = 'dist/test-host';
const SETUP_LIMIT_MS = 10 * 60_000;
const WINDOW_LIMIT_MS = 3 * 60_000;
/** setup.sh: something cannot be had on this machine. */
const UNAVAILABLE = 75;

const WINDOWS = [
  { name: 'trusted window', suite: 'trusted.test.cjs', untrusted: false },
  {
    name: 'window that is not trusted',
    suite: 'untrusted.test.cjs',
    untrusted: true,
    drive: trustOnceAsked,
  },
];

/** Clicks "Trust" on the page that the suite opens with the command workbench.trust.manage. */
async function trustOnceAsked(page) {
  const button = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ });
  await button.click({ timeout: WINDOW_LIMIT_MS });
}

/** Resolves to { passed, failed, skipped: [reason or title] }. Expects the bundles of the product to be built. */
export async function hostTests({ verbose = false, keep = false } = {}) {
  const unavailable = setUp();
  if (unavailable !== null)
    return { passed: 0, failed: 0, skipped: [`VS Code host tests: ${unavailable}`] };
  fs.rmSync(TESTS, { recursive: true, force: true });
  await build({
    entryPoints: ['test/host/index.ts', ...fs.globSync('test/host/*.test.ts')],
    outdir: TESTS,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const extension = stageExtension();
  const { runHost } = await import('./vscode-host/runHost.mjs');
  const total = { passed: 0, failed: 0, skipped: [] };
  for (const { name, suite, ...window } of WINDOWS) {
    console.log(`\n${name}`);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'host-workspace-'));
    const result = await runHost({
      extension,
      tests: path.join(TESTS, 'index.cjs'),
      folder,
      ...window,
      env: { HOST_SUITES: suite },
      timeoutMs: WINDOW_LIMIT_MS,
      verbose,
      keep,
    }).finally(() => fs.rmSync(folder, { recursive: true, force: true }));
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped.push(...result.skipped);
  }
  return total;
}

/** A copy of exactly what the VSIX contains, so that a file that is missing there is missing here. */
function stageExtension() {
  const staged = path.join(TESTS, 'extension');
  for (const file of vsixFiles()) {
    fs.mkdirSync(path.dirname(path.join(staged, file)), { recursive: true });
    fs.copyFileSync(file, path.join(staged, file));
  }
  return staged;
}

/** Returns null, or why there is no VS Code to test in. */
function setUp() {
  // npm's own variables describe this project; setup.sh installs into other folders.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command|execpath|config_(local|global)_prefix)/.test(name),
    ),
  );
  const setup = spawnSync('bash', ['tools/vscode-host/setup.sh'], {
    env,
    timeout: SETUP_LIMIT_MS,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  process.stderr.write(setup.stderr ?? '');
  if (setup.status === 0) return null;
  if (setup.status === UNAVAILABLE) return setup.stderr.trim().split('\n').at(-1);
  throw new Error(
    `tools/vscode-host/setup.sh failed (${setup.error?.message ?? setup.signal ?? setup.status})`,
  );
}

if (
  process.argv[1] !== undefined &&
  import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href
) {
  const { values } = parseArgs({
    options: { verbose: { type: 'boolean' }, keep: { type: 'boolean' } },
  });
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(1);
  const { passed, failed, skipped } = await hostTests(values);
  for (const each of skipped) console.log(`skipped: ${each}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  process.exitCode = failed > 0 || passed + skipped.length === 0 ? 1 : 0;
}
