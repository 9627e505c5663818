import { after, afterEach, beforeEach, describe } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { allProcesses } from '../support/killProcesses.ts';
import { eventually } from './eventually.ts';
import {
  formShows,
  openForm,
  showSection,
  tabsOf,
  unfold,
  valueOfKey,
  writeKey,
} from './support/formPage.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage } from './support/page.ts';
import { shownStep } from './support/steps.ts';

const world = hostWorld();
after(() => world.dispose());

/** In the arguments of what a gate starts. */
const MARK = 'gate-of-this-test';
const TEXT = `endpoints:
  rehearsal: { base_url: ${world.rehearsalUrl}, host: here } # mine
gates:
  slow: { run: 'node -e "setInterval(() => {}, 1000)" ${MARK}' }
`;

describe('the form of models.yaml and what is around it', function () {
  this.timeout(120_000);

  beforeEach(() => writeFileSync(world.modelsFile, TEXT));
  afterEach(async () => {
    // What a test that failed has left unsaved must not be asked about.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  itOnPage('stops a gate with all that it has started, and says so', async () => {
    await openForm(world.modelsFile);
    await showSection('gates');
    await press('Run now: slow');
    await eventually(() => marked().length > 0, 'the gate runs');
    await press('Stop: slow');
    await formShows('[data-path="gates.slow"]', /refused[\s\S]*It was stopped\./);
    await eventually(
      () => marked().length === 0,
      () => `nothing runs on: ${JSON.stringify(marked())}`,
    );
    const button = await onPage(({ webview }) =>
      webview().getByRole('button', { name: 'Run now: slow' }).count(),
    );
    assert.equal(button, 1, 'it can be run again');
  });

  itOnPage('ends a gate whose form is closed', async () => {
    await openForm(world.modelsFile);
    await showSection('gates');
    await press('Run now: slow');
    await eventually(() => marked().length > 0, 'the gate runs');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually(
      () => marked().length === 0,
      () => `nothing runs on: ${JSON.stringify(marked())}`,
    );
  });

  itOnPage('asks the usual ports, and lists what answers or says how many were asked', async () => {
    await openForm(world.modelsFile);
    await press('Register Endpoint…');
    await press('Scan the usual ports');
    await formShows(
      '.register-status',
      /Nothing answered at the \d+ usual ports|\d+ of \d+ addresses answered/,
    );
    await onPage(({ press: keys }) => keys('Escape'));
  });

  itOnPage(
    'asks about the settings of a repository, and shows them as used when trusted',
    async () => {
      const file = join(world.repo.root, 'models.yaml');
      writeFileSync(file, "defaults: {}\ngates:\n  theirs: { run: 'node --test' }\n");
      try {
        await openForm(file);
        await formShows('.banner', 'This file is not trusted');
        await showSection('gates');
        const isOff = await onPage(({ webview }) =>
          webview().getByRole('button', { name: 'Run now: theirs' }).getAttribute('aria-disabled'),
        );
        assert.equal(isOff, 'true', 'nothing of it is run');
        await press('Trust…');
        await eventually(async () => (await shownStep()) !== null, 'the question');
        const rows = (await shownStep())?.rows.join('\n') ?? '';
        assert.match(rows, /gates\.theirs/);
        await onPage(async ({ page }) => {
          await page
            .locator('.quick-input-widget .monaco-list-row')
            .filter({ hasText: /Trust this setting/ })
            .click();
        });
        await eventually(
          () => onPage(async ({ webview }) => !(await webview().locator('.banner').isVisible())),
          'it is not said any more that nothing of it counts',
        );
      } finally {
        rmSync(file, { force: true });
        await vscode.commands.executeCommand('notifications.clearAll');
      }
    },
  );

  itOnPage('begins an import', async () => {
    await openForm(world.modelsFile);
    await press('Import…');
    await eventually(
      async () => /import/i.test((await shownStep())?.title ?? ''),
      'the question of what is imported',
    );
    await onPage(({ press: keys }) => keys('Escape'));
    await eventually(async () => (await shownStep()) === null, 'nothing is asked any more');
    assert.equal(readFileSync(world.modelsFile, 'utf8'), TEXT);
  });

  itOnPage(
    'keeps what was not saved when the file is deleted, and saving makes it again',
    async () => {
      const document = await openForm(world.modelsFile);
      await unfold('endpoints.rehearsal');
      await writeKey('endpoints.rehearsal.host', 'kept');
      await eventually(() => document.isDirty, 'unsaved changes');
      rmSync(world.modelsFile);
      await eventually(
        () =>
          onPage(async ({ page }) => {
            const tab = page.locator('.tab', { hasText: 'models.yaml' });
            return (await tab.count()) === 1 && /deleted/i.test((await tab.innerHTML()) ?? '');
          }),
        'VS Code has seen that the file is gone',
      );
      assert.equal(await valueOfKey('endpoints.rehearsal.host'), 'kept');
      await writeKey('endpoints.rehearsal.host', 'and changed');
      await eventually(
        () => document.getText().includes('and changed'),
        () => document.getText(),
      );
      assert.equal(existsSync(world.modelsFile), false, 'nothing is saved unasked');
      assert.equal(await document.save(), true);
      assert.equal(
        readFileSync(world.modelsFile, 'utf8'),
        TEXT.replace('host: here', 'host: and changed'),
      );
    },
  );

  itOnPage('shows the file again when it comes back under its name', async () => {
    await openForm(world.modelsFile);
    const away = `${world.modelsFile}.away`;
    renameSync(world.modelsFile, away);
    writeFileSync(away, TEXT.replace('host: here', 'host: back'));
    renameSync(away, world.modelsFile);
    await unfold('endpoints.rehearsal');
    await eventually(
      async () => (await valueOfKey('endpoints.rehearsal.host')) === 'back',
      'the form shows what came back',
    );
  });

  itOnPage('loses nothing that is not saved when its file is renamed in VS Code', async () => {
    const folder = join(world.repo.root, 'renamed');
    mkdirSync(folder, { recursive: true });
    const [from, to] = [join(folder, 'models.yaml'), join(folder, 'models.local.yaml')];
    rmSync(to, { force: true });
    writeFileSync(from, TEXT);
    try {
      const document = await openForm(from);
      await unfold('endpoints.rehearsal');
      await writeKey('endpoints.rehearsal.host', 'moved');
      await eventually(() => document.isDirty, 'unsaved changes');
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
      assert.equal(await vscode.workspace.applyEdit(edit), true);
      // VS Code opens it with the editor that it takes by itself, which is the text.
      await eventually(
        () => tabsOf(to).length === 1 && tabsOf(from).length === 0,
        () => `a tab of its new name, not ${tabsOf(from).length} of the old`,
      );
      const now = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === to);
      assert.equal(now?.getText(), TEXT.replace('host: here', 'host: moved'));
      assert.equal(now.isDirty, true);
      assert.equal(readFileSync(to, 'utf8'), TEXT, 'nothing is saved unasked');
      assert.equal(existsSync(from), false);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  itOnPage('says that a file which VS Code holds read-only cannot be changed', async () => {
    const folder = join(world.repo.root, 'locked');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'models.yaml');
    writeFileSync(file, TEXT);
    try {
      const document = await openForm(file);
      await unfold('endpoints.rehearsal');
      await writeKey('endpoints.rehearsal.host', 'other');
      await formShows('.form', 'VS Code holds this file read-only.');
      await formShows('.top-line', 'read-only');
      assert.equal(document.getText(), TEXT);
      assert.equal(document.isDirty, false);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function press(name: string): Promise<void> {
    await onPage(
      ({ webview }, input) =>
        webview().getByRole('button', { name: input, exact: true }).first().click(),
      name,
    );
  }

  function marked(): string[] {
    return allProcesses()
      .map(({ argv }) => argv.join(' '))
      .filter((line) => line.includes(MARK));
  }
});
