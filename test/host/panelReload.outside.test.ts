import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { bridgeWorld, type BridgeWorld } from '../support/bridgeWorld.ts';
import { eventually } from './eventually.ts';
import { SAMPLE } from './support/hostSample.ts';
import { openWindow, runOfSuite, type OpenedWindow } from './support/openWindow.ts';
import { seedJobs } from './support/seedJobs.ts';
import { assistantMessage, eventLines, seedLogs } from './support/seedLogs.ts';

describe('the panel of a job in a window that is reloaded', function () {
  this.timeout(240_000);
  let world: BridgeWorld;
  let window: OpenedWindow | undefined;

  afterEach(async function () {
    await window?.close(this.currentTest);
    window = undefined;
    await world.dispose();
  });

  it('comes back: the same job, the same view, and what was typed', async () => {
    world = await bridgeWorld({ ...SAMPLE, distDir: join(runOfSuite().extension, 'dist') });
    const { stateDir, root: repoRoot } = world.repo;
    const [id = ''] = seedJobs(1, {
      stateDir,
      repoRoot,
      record: () => ({
        ...{ task: 'Come back after a reload', status: 'done', failure: null },
        ...{ isolation: 'none', sessionId: 'a-session' },
      }),
    });
    seedLogs(stateDir, id, {
      'events.jsonl': eventLines(
        Array.from({ length: 60 }, (_, n) =>
          assistantMessage(n, { type: 'text', text: `Step ${n}` }),
        ),
      ),
    });
    window = await openWindow(world);
    await eventually(() => window?.servers().length === 1, 'the extension has a server');
    const { driver, page } = window;
    await driver.runCommand('Delegate: Open Job');
    await page.locator('.quick-input-list').getByText('Come back after a reload').first().waitFor();
    await driver.press('Enter');
    const panel = driver.webview();
    await panel.locator('.feed').getByText('Step 59').waitFor();
    await panel.locator('.mode', { hasText: 'Transcript' }).click();
    await panel.locator('#resume-message textarea').fill('half a thought');

    await window.reload();
    await panel.locator('.feed').getByText('Step 59').waitFor({ timeout: 90_000 });
    assert.equal(await panel.locator('h1').innerText(), 'Come back after a reload');
    assert.equal(
      await panel.locator('.mode', { hasText: 'Transcript' }).getAttribute('aria-pressed'),
      'true',
    );
    assert.equal(await panel.locator('#resume-message textarea').inputValue(), 'half a thought');
    assert.equal(await page.getByRole('tab', { name: 'Come back after a reload' }).count(), 1);
  });
});
