// The same suites in a desktop VS Code, through @vscode/test-electron: downloaded, or the one at `executable`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EventPrinter } from './eventPrinter.mjs';
import { hostEnvironment } from './hostEnvironment.mjs';
import { USER_SETTINGS } from './userSettings.mjs';
import { vscodesDir } from './versions.mjs';

const SHOWN_LINES = 30;

/** Takes what runHost takes, of it what a desktop has, and resolves the same. `version` is one of VS Code's own (default: stable). */
export async function runElectron({
  extension,
  tests,
  folder,
  settings = {},
  env,
  timeoutMs,
  print,
  version,
  executable,
}) {
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'vsc-electron-'));
  const results = path.join(tmp, 'events.jsonl');
  fs.writeFileSync(results, '');
  const userData = path.join(tmp, 'data');
  fs.mkdirSync(path.join(userData, 'User'), { recursive: true });
  fs.writeFileSync(
    path.join(userData, 'User', 'settings.json'),
    JSON.stringify({ ...USER_SETTINGS, ...settings }, null, 2),
  );
  const options = {
    ...(executable === undefined ? {} : { vscodeExecutablePath: path.resolve(executable) }),
    ...(version === undefined ? {} : { version }),
    extensionDevelopmentPath: path.resolve(extension),
    extensionTestsPath: path.resolve(tests),
    launchArgs: [
      ...(folder === undefined ? [] : [folder]),
      ...['--disable-extensions', '--disable-telemetry'],
      ...[`--user-data-dir=${userData}`, `--extensions-dir=${path.join(tmp, 'extensions')}`],
    ],
  };
  const child = spawn(
    process.execPath,
    [path.resolve('tools/vscode-host/electronRun.mjs'), JSON.stringify(options)],
    {
      env: hostEnvironment({ ...env, HOST_RESULTS: results, VSC_HOST_HOME: vscodesDir() }),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const log = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => log.push(...text.split('\n')));
  const printer = new EventPrinter(results, print);
  const tick = setInterval(() => printer.drain(), 100);
  const endGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // the group is gone already
    }
  };
  const timer = setTimeout(endGroup, timeoutMs);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  clearTimeout(timer);
  clearInterval(tick);
  endGroup();
  printer.drain();
  printer.printFailures();
  fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5 });
  const { failures } = printer;
  if (!printer.hasEnded) {
    failures.push(`mocha did not finish: ${code}`);
    print(`\n${failures.at(-1)}\n${log.slice(-SHOWN_LINES).join('\n')}`);
  } else if (code !== 0 && failures.length === 0)
    failures.push(`VS Code ended with ${code}, though no test failed`);
  return { passed: printer.passed, failures, skipped: printer.skipped };
}
