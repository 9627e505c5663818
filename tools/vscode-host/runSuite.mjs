// One suite of test/host in a window of its own: its world before, VS Code around it, and a look at what is left after.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDriver } from '../../test/host/support/driver.ts';
import { SAMPLE } from '../../test/host/support/hostSample.ts';
import { startPageServer } from '../../test/host/support/pageServer.ts';
import { bridgeWorld } from '../../test/support/bridgeWorld.ts';
import { endProcesses } from '../../test/host/support/endProcesses.ts';
import { processesOfRun } from '../../test/host/support/processesOfRun.ts';
import { whyNoClaude } from '../../test/support/withClaude.ts';
import { stageTraced } from './stage.mjs';
import { runElectron } from './runElectron.mjs';
import { runHost } from './runHost.mjs';

const SUITE_LIMIT_MS = 8 * 60_000;
const LEAVE_LIMIT_MS = 20_000;

/**
 * `tests` is the folder with the bundled suites, `extension` the staged extension. Resolves as runHost does; a process of the
 * run that is left after the window has closed is one more failure.
 */
export async function runSuite({
  suite,
  tests,
  extension,
  shotsDir,
  scale,
  print,
  electron,
  ...options
}) {
  const window = await windowOf(suite);
  if (electron !== undefined && window.isTrusted === false)
    return skipped(suite, '@vscode/test-electron always turns workspace trust off');
  const world = await bridgeWorld({
    ...SAMPLE,
    slots: 8,
    ...window.world,
    distDir: path.join(extension, 'dist'),
  });
  const pageServer = await startPageServer();
  // For a run that is interrupted: jobs outlive their window on purpose.
  const endJobs = () => endProcesses(world.repo.scratch);
  process.once('exit', endJobs);
  try {
    await window.prepare?.(world);
    const run = electron === undefined ? runHost : runElectron;
    const result = await run({
      ...options,
      ...electron,
      extension: window.isTraced === true ? await stageTraced(extension) : extension,
      print,
      scale,
      tests: path.join(tests, 'index.cjs'),
      folder: folderOf(window, world),
      untrusted: window.isTrusted === false,
      timeoutMs: window.timeoutMs ?? SUITE_LIMIT_MS,
      ...(window.settings === undefined ? {} : { settings: window.settings }),
      ...(window.viewport === undefined ? {} : { viewport: window.viewport }),
      env: {
        ...world.env,
        HOST_SUITES: `${suite}.test.cjs`,
        ...(electron === undefined ? { HOST_PAGE: pageServer.url } : {}),
        HOST_WORLD: JSON.stringify(toldWorld(world, extension)),
        ...window.env,
      },
      onOpen: (page) => pageServer.attach(createDriver(page, shotsDir)),
    });
    const left = await leftOf(world);
    if (left.length > 0) {
      result.failures.push(`left after the window was closed:\n${left.join('\n')}`);
      print(`\n${result.failures.at(-1)}`);
    }
    return result;
  } finally {
    pageServer.close();
    await world.dispose();
    process.off('exit', endJobs);
  }
}

function skipped(suite, why) {
  return { passed: 0, failures: [], skipped: [`the suite ${suite}: ${why}`] };
}

async function windowOf(suite) {
  const file = path.resolve(`test/host/${suite}.window.ts`);
  if (!fs.existsSync(file)) return {};
  const { window } = await import(pathToFileURL(file).href);
  return window;
}

function folderOf({ opens = 'repository' }, world) {
  if (opens === 'nothing') return undefined;
  if (opens === 'repository') return world.repo.root;
  const folder = path.join(world.repo.scratch, 'folder');
  fs.mkdirSync(folder);
  return folder;
}

/** What test/host/support/hostWorld.ts reads. */
function toldWorld(world, extension) {
  return {
    repo: world.repo.place,
    env: world.env,
    modelsFile: world.modelsFile,
    rehearsalUrl: world.rehearsal.url,
    distDir: path.join(extension, 'dist'),
    whyNoClaude,
  };
}

/** Processes of this run that are no job's: those of jobs are ended, and looked for, by the world. */
async function leftOf(world) {
  const deadlineMs = Date.now() + LEAVE_LIMIT_MS;
  for (;;) {
    const left = processesOfRun(world.repo.scratch).filter(({ isOfJob }) => !isOfJob);
    if (left.length === 0 || Date.now() > deadlineMs)
      return left.map(({ pid, argv }) => `  ${pid} ${argv.join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
