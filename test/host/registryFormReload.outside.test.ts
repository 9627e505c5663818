import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { bridgeWorld, type BridgeWorld } from '../support/bridgeWorld.ts';
import { eventually } from './eventually.ts';
import { keyIdOf } from './support/keyIdOf.ts';
import { openWindow, runOfSuite, type OpenedWindow } from './support/openWindow.ts';

const TYPED = 'typed and not saved';

describe('the form of models.yaml in a window that is reloaded', function () {
  this.timeout(240_000);
  let world: BridgeWorld;
  let window: OpenedWindow | undefined;

  afterEach(async function () {
    await window?.close(this.currentTest);
    window = undefined;
    await world.dispose();
  });

  it('comes back with what was not saved, at the entry that was open', async () => {
    const models = 'endpoints:\n  rehearsal: { base_url: URL, host: here } # mine\n';
    world = await bridgeWorld({ models, distDir: join(runOfSuite().extension, 'dist') });
    const before = readFileSync(world.modelsFile, 'utf8');
    // VS Code in a browser saves by itself unless it is told not to.
    window = await openWindow(world, { settings: { 'files.autoSave': 'off' } });
    await eventually(() => window?.servers().length === 1, 'the extension has a server');
    const { driver, page, dataDir } = window;
    await driver.runCommand('Delegate: Open models.yaml as Form');
    const form = driver.webview();
    const fold = form.locator(keyIdOf('endpoints.rehearsal'));
    await fold.click();
    const host = form.locator(keyIdOf('endpoints.rehearsal.host'));
    await host.fill(TYPED);
    await host.press('Enter');
    const dirty = page.locator('.tab.dirty', { hasText: 'models.yaml' });
    await dirty.waitFor();
    // Hot exit is VS Code's: it puts unsaved text by a second after the last change.
    await eventually(
      () => backups(dataDir).some((text) => text.includes(TYPED)),
      () => `a backup with the text, of ${backups(dataDir).length}`,
    );

    await window.reload();
    await host.waitFor({ timeout: 90_000 });
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
    assert.equal(await host.inputValue(), TYPED);
    await dirty.waitFor();
    assert.equal(readFileSync(world.modelsFile, 'utf8'), before, 'nothing is saved unasked');
    assert.equal(await page.getByRole('tab', { name: 'models.yaml' }).count(), 1);
  });
});

function backups(dataDir: string): string[] {
  return globSync('**/Backups/**/*', { cwd: dataDir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
