import { after, before, beforeEach, describe } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS, SCHEMES } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { clickTitle, pick, press, quickPick, titleButtons } from './support/reviewPage.ts';

const KEY = 'sk-known-and-hushed';

describe('Import Endpoints in VS Code', function () {
  this.timeout(120_000);
  const world = hostWorld();
  const liteLlm = join(world.repo.scratch, 'litellm.yaml');
  const secretFile = join(dirname(world.modelsFile), 'secrets.json');
  const models = (): string => readFileSync(world.modelsFile, 'utf8');
  let original: string;

  const start = (choice?: object): Thenable<boolean> =>
    vscode.commands.executeCommand<boolean>(
      COMMANDS.importConfig,
      ...(choice === undefined ? [] : [choice]),
    );
  const importTabs = (): vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs.map(({ input }) => input))
      .filter((input) => input instanceof vscode.TabInputTextDiff)
      .filter(({ modified }) => modified.scheme === SCHEMES.import);
  const titleIs = (title: RegExp): Promise<unknown> =>
    eventually(async () => {
      const shown = await onPage(({ page }) => page.locator('.quick-input-title').allInnerTexts());
      return shown.some((text) => title.test(text));
    }, `a quick pick with the title ${title.source}`);
  const diffIsShown = async (): Promise<string> => {
    await titleIs(/the changes are shown below/);
    await eventually(() => importTabs().length === 1, 'the diff is open');
    const [shown] = importTabs();
    assert.ok(shown);
    const document = await vscode.workspace.openTextDocument(shown.modified);
    return document.getText();
  };

  before(async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    original = models();
  });
  beforeEach(async () => {
    const document = await vscode.workspace.openTextDocument(world.modelsFile);
    if (document.isDirty) {
      // Left by a test that failed: closing it would ask.
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    writeFileSync(world.modelsFile, original);
    rmSync(secretFile, { force: true });
    // VS Code holds the text of the test before until it has heard of the file's.
    await eventually(
      () => document.isClosed || document.getText() === original,
      () => `the text of the file, and not ${document.getText()}`,
    );
  });
  after(() => world.dispose());

  itOnPage(
    'finds what is there, shows the changes first, and cancel leaves every byte',
    async () => {
      const done = start();
      await titleIs(/^Import Endpoints$/);
      const { rows } = await quickPick();
      assert.match(rows[0] ?? '', /localagents.*localagents\/models\.yaml/);
      assert.ok(rows.some((row) => /LiteLLM configuration/.test(row)));
      await pick('localagents/models.yaml');
      const text = await diffIsShown();
      assert.ok(text.startsWith(original.slice(0, 20)));
      assert.match(text, /tower:.*base_url: http:\/\/tower:8080,/);
      assert.equal(importTabs()[0]?.original.fsPath, world.modelsFile);
      const notes = (await quickPick()).rows.join('\n');
      assert.match(notes, /Apply/);
      assert.match(notes, /without \/v1, which is added by itself/);
      await onPage(({ page }) => page.locator('.monaco-diff-editor .view-line').first().waitFor());
      await shot('import');
      await pick('Cancel');
      assert.equal(await done, false);
      assert.deepEqual(importTabs(), []);
      assert.equal(models(), original);
    },
  );

  itOnPage('is cancelled by closing the diff, and by the title bar', async () => {
    const first = start({ kind: 'litellm', path: liteLlm });
    await diffIsShown();
    await press('Escape');
    await vscode.window.tabGroups.close(
      vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ isActive }) => isActive),
    );
    assert.equal(await first, false);
    const second = start({ kind: 'litellm', path: liteLlm });
    await diffIsShown();
    await press('Escape');
    assert.ok((await titleButtons()).some((label) => label.startsWith('Apply Import')));
    await clickTitle('Cancel Import');
    assert.equal(await second, false);
    assert.equal(models(), original);
  });

  itOnPage(
    'applies from the title bar, keeps the key that the person agrees to, and is one step of undo',
    async () => {
      const done = start({ kind: 'litellm', path: liteLlm });
      const shown = await diffIsShown();
      await press('Escape');
      await clickTitle('Apply Import');
      await titleIs(/keys that stand in the source/);
      const { rows } = await quickPick();
      assert.match(rows.join('\n'), /litellm-openai-far\.example/);
      await press('Enter');
      assert.equal(await done, true);
      assert.equal(models(), shown);
      assert.ok(!shown.includes(KEY));
      assert.match(shown, /api_key: \$\{secret:litellm-openai-far\.example\}/);
      assert.deepEqual(JSON.parse(readFileSync(secretFile, 'utf8')), {
        'litellm-openai-far.example': KEY,
      });
      const { activeTextEditor: editor } = vscode.window;
      assert.equal(editor?.document.uri.fsPath, world.modelsFile);
      assert.equal(editor.document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), original);
      await vscode.commands.executeCommand('redo');
      assert.equal(editor.document.getText(), shown);
      await editor.document.save();
      // Again: there is nothing to do, and nobody is asked.
      assert.equal(await start({ kind: 'litellm', path: liteLlm }), false);
    },
  );

  itOnPage('takes the text that is not saved yet, and leaves it unsaved', async () => {
    const document = await vscode.workspace.openTextDocument(world.modelsFile);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# not saved\n'));
    const done = start({
      kind: 'localagents',
      path: join(dirname(dirname(world.modelsFile)), 'localagents', 'models.yaml'),
    });
    await diffIsShown();
    await pick('Apply');
    assert.equal(await done, true);
    assert.equal(document.isDirty, true);
    assert.ok(document.getText().startsWith('# not saved\n'));
    assert.match(document.getText(), /http:\/\/tower:8080/);
    assert.equal(models(), original);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  itOnPage('makes the file when there is none', async () => {
    const aside = `${world.modelsFile}.aside`;
    renameSync(world.modelsFile, aside);
    try {
      const done = start({ kind: 'litellm', path: liteLlm });
      const shown = await diffIsShown();
      await pick('Create the file');
      await titleIs(/keys that stand in the source/);
      await press('Escape');
      assert.equal(await done, false);
      assert.ok(!existsSync(world.modelsFile), 'whoever leaves at the keys has written nothing');
      const again = start({ kind: 'litellm', path: liteLlm });
      await diffIsShown();
      await pick('Create the file');
      await titleIs(/keys that stand in the source/);
      await press('Enter');
      assert.equal(await again, true);
      assert.equal(models(), shown);
      assert.equal(statSync(world.modelsFile).mode & 0o777, 0o600);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(world.modelsFile, { force: true });
      renameSync(aside, world.modelsFile);
    }
  });
});
