import { after, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage } from './support/page.ts';
import { processesOfRun } from './support/processesOfRun.ts';

describe('house-keeping and endpoints', function () {
  this.timeout(120_000);
  const world = hostWorld();
  after(() => world.dispose());

  it('collects diagnostics without names of folders, people and briefs, and saves nothing', async () => {
    world.seedJobs(2, () => ({ task: 'A very private brief' }));
    const text = await vscode.commands.executeCommand<string>(COMMANDS.collectDiagnostics);
    assert.match(text, /^Diagnostics of Delegation Bridge/);
    for (const part of ['Extension', 'Server', 'git', 'server.startTimeoutSeconds'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    for (const hidden of ['A very private brief', world.repo.root, world.env['HOME'] ?? '?'])
      assert.ok(!text.includes(hidden), `${hidden} in ${text}`);
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, true);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  itOnPage('registers a server by its address, shown before it is written', async () => {
    const server = await startRehearsal({ model: 'Qwen3.8-27B', context: 131_072 });
    try {
      const done = vscode.commands.executeCommand<string>(COMMANDS.registerEndpoint);
      await asked('Address of the model server');
      await onPage(({ page }, text) => page.keyboard.insertText(text), `${server.url}/v1/messages`);
      await asked('is what is written');
      await onPage(({ press }) => press('Enter'));
      await asked('Register it');
      const shown = await questionText();
      assert.match(shown, /Qwen3\.8-27B · window 131k/);
      assert.match(shown, /On this machine: nothing leaves it/);
      assert.equal(existsSync(sidecar()), false, 'nothing is written yet');
      await onPage(({ press }) => press('Enter'));
      await asked('Name of the endpoint');
      await onPage(({ press }) => press('Control+A'));
      await onPage(({ page }) => page.keyboard.insertText('tower'));
      await onPage(({ press }) => press('Enter'));
      assert.equal(await done, 'tower');
      assert.match(
        readFileSync(sidecar(), 'utf8'),
        new RegExp(`tower:\\n\\s+base_url: ${server.url}\\n`),
      );
    } finally {
      await server.close();
    }
  });

  itOnPage('says what a wrong address needs', async () => {
    const done = vscode.commands.executeCommand(COMMANDS.registerEndpoint);
    await asked('Address of the model server');
    await onPage(({ page }) => page.keyboard.insertText('ftp://tower'));
    await asked('An address begins with http:// or https://');
    await onPage(({ press }) => press('Escape'));
    assert.equal(await done, undefined);
  });

  itOnPage('finds what listens on the usual ports, or says what was asked', async () => {
    const done = vscode.commands.executeCommand<string[]>(COMMANDS.findServers);
    await asked('Find Model Servers');
    assert.match(
      await questionText(),
      /(No model server answered|usual ports answer|registered already)/,
    );
    await onPage(({ press }) => press('Escape'));
    assert.deepEqual(await done, []);
  });

  itOnPage('cleans up after it has shown what stays and why', async () => {
    const done = vscode.commands.executeCommand<{ removedJobs: string[] }>(COMMANDS.cleanUp);
    await asked('Clean Up');
    const shown = await questionText();
    assert.match(shown, /A very private brief|kept \(2\)/);
    await onPage(({ press }) => press('Enter'));
    assert.deepEqual((await done).removedJobs, []);
  });

  itOnPage('makes models.yaml from the example, when there is none and it is wanted', async () => {
    rmSync(world.modelsFile);
    const done = vscode.commands.executeCommand(COMMANDS.openConfig);
    await asked('Create models.yaml');
    assert.equal(existsSync(world.modelsFile), false);
    await onPage(({ press }) => press('Enter'));
    await done;
    assert.match(readFileSync(world.modelsFile, 'utf8'), /^# endpoints:$/m);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, world.modelsFile);
  });

  it('starts one rehearsal server, on another port when its own is taken, and takes it back', async () => {
    const blocker = createServer();
    const isBlocking = await new Promise<boolean>((resolve) => {
      blocker.once('error', () => resolve(false)).listen(47_810, '127.0.0.1', () => resolve(true));
    });
    try {
      const [url, again] = await Promise.all([
        vscode.commands.executeCommand<string>(COMMANDS.startRehearsal),
        vscode.commands.executeCommand<string>(COMMANDS.startRehearsal),
      ]);
      assert.equal(url, again);
      if (isBlocking)
        assert.notEqual(Number(URL.parse(url)?.port), (blocker.address() as AddressInfo).port);
      assert.equal(rehearsals().length, 1);
      await vscode.commands.executeCommand(COMMANDS.stopRehearsal);
      await eventually(() => rehearsals().length === 0, 'no rehearsal server');
      assert.doesNotMatch(readFileSync(sidecar(), 'utf8'), /rehearsal/);
    } finally {
      blocker.close();
    }
  });

  it('makes a practice repository with a red test, and refuses a folder that holds something', async () => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'practice-')));
    try {
      const { folder } = await world.bridge.makePracticeRepository(join(scratch, 'new'));
      assert.ok(existsSync(join(folder, '.git')) && existsSync(join(folder, 'range.test.js')));
      await assert.rejects(world.bridge.makePracticeRepository(folder), /is not empty/);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });

  function sidecar(): string {
    return join(dirname(world.modelsFile), 'models.local.yaml');
  }

  function rehearsals(): string[] {
    return processesOfRun(world.repo.scratch)
      .map(({ argv }) => argv.join(' '))
      .filter((line) => line.includes(' rehearse '));
  }
});

function questionText(): Promise<string> {
  return onPage(async ({ page }) => {
    const widget = page.locator('.quick-input-widget');
    const box = widget.locator('input[placeholder]').first();
    const placeholder = (await box.count()) === 0 ? '' : await box.getAttribute('placeholder');
    return (await widget.isVisible()) ? `${placeholder ?? ''}\n${await widget.innerText()}` : '';
  });
}

async function asked(text: string): Promise<void> {
  await eventually(async () => (await questionText()).includes(text), `the question "${text}"`);
}
