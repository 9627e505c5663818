import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const LIMIT_MS = 8 * 60_000;
const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const TEST_LIMIT_MS = 3 * 60_000;

/**
 * A suite that opens and closes windows itself, and so lives outside of them: plain mocha in a process of its own. What it opens
 * them with stands in HOST_RUN, read by test/host/support/openWindow.ts. Resolves as runHost does.
 */
export async function runOutside({ suite, print, tests, ...options }) {
  const totals = path.join(tests, `${suite}-${options.vscode}.json`);
  fs.rmSync(totals, { force: true }); // of an earlier try
  const child = spawn(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      ...['--config', 'test/mocharc.json', '--no-color', '--timeout', String(TEST_LIMIT_MS)],
      ...['--retries', '1'],
      ...['--reporter', './tools/totalsReporter.mjs', '--reporter-option', `totals=${totals}`],
      `test/host/${suite}.test.ts`,
    ],
    {
      env: { ...process.env, HOST_RUN: JSON.stringify(options) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => print(text.replace(/\n$/, '')));
  // Interrupted, it closes its window before it goes.
  const onSignal = () => {
    child.kill('SIGTERM');
    child.once('close', () => process.exit(INTERRUPTED));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const timer = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  clearTimeout(timer);
  for (const signal of SIGNALS) process.off(signal, onSignal);
  if (!fs.existsSync(totals)) return { passed: 0, failures: ['mocha did not finish'], skipped: [] };
  const result = JSON.parse(fs.readFileSync(totals, 'utf8'));
  if (code !== 0 && result.failures.length === 0)
    result.failures.push(`mocha ended with ${code}, though no test failed`);
  return result;
}
