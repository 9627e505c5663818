import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SAMPLE } from '../host/support/hostSample.ts';
import { openWindow } from '../host/support/openWindow.ts';
import { bridgeWorld, ROOT } from '../support/bridgeWorld.ts';
import type { Figure } from './figure.ts';

interface Time {
  readonly loadMs: number;
  readonly activateMs: number;
}
interface HostModules {
  readonly setUp: (vscode: string) => string | null;
  readonly stageExtension: (folder: string) => string;
  readonly stageTraced: (staged: string) => Promise<string>;
  readonly NEWEST: string;
}

const START_LIMIT_MS = 120_000;

/**
 * In a real VS Code, from the require() of the extension's main until its `activate` has returned, beside the same of an extension
 * that does nothing, a moment before in the same process. Each run is an extension host of its own, by a reload of the window;
 * the first one is not counted. Needs Chromium and VS Code as the host tests do.
 */
export async function activation(runs: number): Promise<Figure[]> {
  const { setUp, stageExtension, stageTraced, NEWEST } = await hostModules();
  const unavailable = setUp(NEWEST);
  if (unavailable !== null) throw new Error(`no VS Code to measure in: ${unavailable}`);
  mkdirSync('dist/test-host', { recursive: true });
  const folder = resolve(mkdtempSync('dist/test-host/bench-'));
  const timesFile = join(folder, 'times.jsonl');
  const world = await bridgeWorld({ ...SAMPLE, env: { HOST_ACTIVATION_TIMES: timesFile } });
  const times = (): { ours: Time; empty: Time }[] =>
    (existsSync(timesFile) ? readFileSync(timesFile, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { ours: Time; empty: Time });
  try {
    const extension = await stageTraced(stageExtension(folder));
    const window = await openWindow(
      world,
      {},
      { vscode: NEWEST, extension, shotsDir: folder, scale: 1 },
    );
    try {
      for (let run = 0; run <= runs; run += 1) {
        if (run > 0) await window.page.reload();
        await world.until('an activation', () => times().length > run, START_LIMIT_MS);
      }
    } finally {
      await window.close();
    }
    const counted = times().slice(1, runs + 1);
    return [
      {
        name: 'activation in VS Code',
        unit: 'ms',
        ours: counted.map(({ ours }) => ours.loadMs + ours.activateMs),
        beside: {
          what: 'an extension that does nothing',
          values: counted.map(({ empty }) => empty.loadMs + empty.activateMs),
        },
      },
    ];
  } finally {
    await world.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** JavaScript without types. */
async function hostModules(): Promise<HostModules> {
  const load = async (file: string): Promise<Partial<HostModules>> =>
    (await import(join(ROOT, 'tools/vscode-host', file))) as Partial<HostModules>;
  return {
    ...(await load('setUp.mjs')),
    ...(await load('stage.mjs')),
    ...(await load('versions.mjs')),
  } as HostModules;
}
