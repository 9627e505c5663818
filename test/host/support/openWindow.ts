import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Runnable } from 'mocha';
import type { Page } from 'playwright-core';
import type { BridgeWorld } from '../../support/bridgeWorld.ts';
import { createDriver, type Driver } from './driver.ts';
import { endProcesses } from './endProcesses.ts';
import { failurePicture } from './failurePicture.ts';
import type { HostWindow } from './hostWindow.ts';
import { processesOfRun, type RunProcess } from './processesOfRun.ts';

/** What tools/vscode-host/runOutside.mjs hands to a suite that opens its own windows. */
interface RunOutside {
  readonly vscode: string;
  /** The staged extension. */
  readonly extension: string;
  readonly shotsDir: string;
  readonly scale: number;
  readonly verbose?: boolean;
  readonly keep?: boolean;
}

/** What tools/vscode-host/startHost.mjs gives, as far as it is used here. */
interface StartedHost {
  readonly page: Page;
  readonly dir: { readonly data: string };
  readonly serverPid: number;
  readonly outside: readonly string[];
  readonly log: readonly string[];
  stop(): Promise<void>;
}
type StartHost = (options: Record<string, unknown>) => Promise<StartedHost>;

export type PlainWindow = Pick<HostWindow, 'isTrusted' | 'settings' | 'opens' | 'env'> & {
  /** Installed in place of the staged extension, as a user does it. */
  readonly vsix?: string;
};

export interface OpenedWindow {
  readonly driver: Driver;
  readonly page: Page;
  /** VS Code's own folder of user data. */
  readonly dataDir: string;
  /** Every output of VS Code so far. */
  readonly log: readonly string[];
  /** The extension hosts that live now; one, unless it is being replaced. */
  extensionHosts(): RunProcess[];
  /** The server children that live now, of whatever extension host. */
  servers(): RunProcess[];
  /** As a person does it: VS Code keeps its editors before it goes, which a reload of the bare page does not wait for. */
  reload(): Promise<void>;
  /**
   * Ends page and VS Code; resolves when their processes are gone. When `test` has failed, the page as it was then lies in
   * .tmp/host-failures/.
   */
  close(test?: Runnable): Promise<void>;
}

/** For suites named `*.outside.test.ts`: the run they are part of. */
export function runOfSuite(): RunOutside {
  const told = process.env['HOST_RUN'];
  if (told === undefined) throw new Error('HOST_RUN is missing: run tools/hostTests.mjs.');
  return JSON.parse(told) as RunOutside;
}

/**
 * Opens a window as a person has it: the extension installed, real toasts and dialogs, no test inside. Several may be opened on
 * one world, one after the other or at once.
 */
export async function openWindow(
  world: BridgeWorld,
  window: PlainWindow = {},
  run: RunOutside = runOfSuite(),
): Promise<OpenedWindow> {
  // For a run that is interrupted: jobs outlive their window on purpose.
  process.once('exit', () => endProcesses(world.repo.scratch));
  const startHost = await loadStartHost();
  const host = await startHost({
    ...run,
    extension: window.vsix === undefined ? run.extension : [],
    vsix: window.vsix,
    folder: window.opens === 'nothing' ? undefined : world.repo.root,
    untrusted: window.isTrusted === false,
    settings: window.settings,
    env: { ...world.env, ...window.env },
  });
  const isOurs = (of: (seen: RunProcess) => boolean): RunProcess[] =>
    processesOfRun(world.repo.scratch).filter((seen) => !seen.isOfJob && of(seen));
  const { page } = host;
  const driver = createDriver(page, run.shotsDir);
  return {
    driver,
    page,
    dataDir: host.dir.data,
    log: host.log,
    extensionHosts: () => isOurs(({ argv }) => argv.includes('--type=extensionHost')),
    servers: () => isOurs(({ argv }) => argv.some((each) => each.endsWith('/dist/server.cjs'))),
    reload: async () => {
      const isLoaded = page.waitForEvent('load', { timeout: 60_000 });
      await driver.runCommand('Developer: Reload Window').catch((error: unknown) => {
        // The page may go while its palette is looked at.
        if (!/navigat|destroyed|detached/i.test(String(error))) throw error;
      });
      await isLoaded;
      await page.waitForSelector('.monaco-workbench');
    },
    close: async (test) => {
      if (test?.state === 'failed')
        await page.screenshot({ path: failurePicture(test.fullTitle()) });
      await host.stop();
    },
  };
}

async function loadStartHost(): Promise<StartHost> {
  const file = join(import.meta.dirname, '../../../tools/vscode-host/startHost.mjs');
  const { startHost } = (await import(pathToFileURL(file).href)) as { startHost: StartHost };
  return startHost;
}
