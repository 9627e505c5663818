import { after as afterAll, before, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { environmentOf } from '../support/killProcesses.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import {
  after,
  change,
  languageServers,
  noProblem,
  problem,
  problemsOf,
} from './support/modelsEditor.ts';
import { itOnPage, onPage, shot } from './support/page.ts';

const KEY = 'sk-live-0123456789abcdef0123456789';

describe('models.yaml as text', function () {
  this.timeout(60_000);
  const world = hostWorld();
  const uri = vscode.Uri.file(world.modelsFile);
  const sidecar = vscode.Uri.file(join(dirname(world.modelsFile), 'models.local.yaml'));
  const saved = readFileSync(world.modelsFile, 'utf8');
  afterAll(() => world.dispose());

  const text = async (): Promise<string> =>
    (await vscode.workspace.openTextDocument(uri)).getText();
  const show = async (): Promise<vscode.TextEditor> => vscode.window.showTextDocument(uri);
  /** As it was at the start, in the editor and on disk. */
  const restore = async (): Promise<void> => {
    await show();
    await change(uri, await text(), saved);
    await (await vscode.workspace.openTextDocument(uri)).save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  };

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const isOpen = vscode.workspace.textDocuments.some(({ fileName }) => fileName === uri.fsPath);
    if (isOpen && (await text()) !== saved) await restore();
  });

  before(async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    await vscode.commands.executeCommand(COMMANDS.showServerVersion);
  });

  it('starts no process before there is a document of the configuration', async () => {
    await vscode.window.showTextDocument(
      vscode.Uri.file(join(world.repo.root, 'other/models.yaml')),
    );
    await vscode.commands.executeCommand(COMMANDS.showServerVersion);
    assert.deepEqual(languageServers(world.repo.scratch), []);
  });

  it('starts one with the first, in the environment of the bridge, and leaves another program alone', async () => {
    const { document } = await show();
    assert.equal(document.languageId, 'yaml');
    await eventually(() => languageServers(world.repo.scratch).length === 1, 'one process');
    const [pid = 0] = languageServers(world.repo.scratch);
    const environment = environmentOf(pid);
    assert.match(environment, /(^|\0)DELEGATE_STATE=/);
    assert.doesNotMatch(environment, /(^|\0)(VSCODE_|NODE_OPTIONS=)/);
    await change(uri, 'max_concurrent', 'max_concurent');
    await problem(uri, /max_concurrent/);
    const other = vscode.Uri.file(join(world.repo.root, 'other/models.yaml'));
    assert.deepEqual(vscode.languages.getDiagnostics(other), []);
    await change(uri, 'max_concurent', 'max_concurrent');
    await noProblem(uri, /max_concurent/);
  });

  itOnPage(
    'says what is wrong while it is typed, and the quick fix mends it by keyboard',
    async () => {
      const editor = await show();
      await onPage(({ page }) => page.locator('.monaco-editor .view-line').first().click());
      await onPage(({ press }) => press('Control+End'));
      await onPage(({ page }) => page.keyboard.insertText('defaults: { polcy: any }'));
      const found = await problem(uri, /polcy/);
      assert.match(found.message, /did you mean "policy"/i);
      assert.equal(editor.document.getText(found.range), 'polcy');
      editor.selection = new vscode.Selection(found.range.start, found.range.start);
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      await onPage(({ press }) => press('Control+.'));
      await onPage(({ page }) =>
        page.locator('.action-widget .monaco-list-row', { hasText: 'policy' }).first().waitFor(),
      );
      await onPage(({ press }) => press('Enter'));
      await noProblem(uri, /polcy/);
      assert.match(await text(), /^defaults: \{ policy: any \}$/m);
    },
  );

  it('offers fixes to whoever asks, the words being those of the command line', async () => {
    await show();
    await change(uri, 'max_concurrent', 'max_concurent');
    const found = await problem(uri, /max_concurent/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      found.range,
    );
    const fix = actions.find(
      ({ title, edit }) => edit !== undefined && title.includes('max_concurrent'),
    );
    assert.ok(fix?.edit, JSON.stringify(actions.map(({ title }) => title)));
    await (await vscode.workspace.openTextDocument(uri)).save();
    const { problems } = await world.bridge.listModels({ cwd: world.repo.root });
    assert.ok(
      problems.some(({ message }) => found.message.startsWith(message)),
      `${found.message} in ${JSON.stringify(problems)}`,
    );
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await noProblem(uri, /max_concurent/);
  });

  it('completes keys, and models as they are served now', async () => {
    await show();
    await change(uri, 'pools:\n', 'defaults:\n  model: \npools:\n');
    const offered = async (place: vscode.Position): Promise<string[]> => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        ...[uri, place],
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const afterModel = await after(uri, '  model: ');
    await eventually(async () => (await offered(afterModel)).includes('rehearsal'), 'the model');
    await change(uri, '  model: \n', '  model: rehearsal\n  \n');
    const keys = await offered(await after(uri, '  model: rehearsal\n  '));
    assert.ok(keys.includes('policy') && !keys.includes('model'), keys.join(' '));
  });

  it('shows over an endpoint what it is doing, and asks it by the lens', async () => {
    await show();
    const lenses = async (): Promise<vscode.CodeLens[]> =>
      vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const lensOf = async (name: string): Promise<vscode.Command | undefined> =>
      (await lenses()).find(({ command }) => command?.arguments?.[0] === name)?.command;
    await eventually(async () => (await lensOf('attic')) !== undefined, 'the lens of attic');
    assert.equal(await vscode.commands.executeCommand(COMMANDS.probeEndpoint, 'tower'), true);
    assert.equal(await vscode.commands.executeCommand(COMMANDS.probeEndpoint, 'attic'), false);
    await eventually(
      async () => /\bup\b/.test((await lensOf('tower'))?.title ?? ''),
      () => 'tower is up',
    );
    assert.match((await lensOf('attic'))?.title ?? '', /down/);
    const place = await after(uri, '  tow');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      ...[uri, place],
    );
    const shown = hovers
      .flatMap(({ contents }) => contents)
      .map((each) => (typeof each === 'string' ? each : each.value))
      .join('\n');
    assert.match(shown, /rehearsal/);
  });

  itOnPage('has a picture', async () => {
    await show();
    await change(uri, 'deepseek: [glm-plan,', 'deepseek: [glm-plan, deepseek,');
    const found = await problem(uri, /deepseek/);
    const editor = await show();
    editor.selection = new vscode.Selection(found.range.start, found.range.start);
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await vscode.commands.executeCommand('editor.action.showHover');
    await onPage(({ page }) => page.locator('.monaco-hover .hover-contents').first().waitFor());
    await shot('models-yaml');
    await onPage(({ press }) => press('Escape'));
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('renames a model across chains, and lists what the file holds', async () => {
    await show();
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      ...[uri, await after(uri, '    glm-pl'), 'glm-plan-think'],
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(await text(), /glm-plan-think: \[qwen-max\]\n {4}deepseek: \[glm-plan-think, /);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    const endpoints = symbols.find(({ name }) => name === 'endpoints');
    assert.deepEqual(
      endpoints?.children.map(({ name }) => name),
      ['tower', 'attic'],
    );
  });

  it('takes what is not saved for what counts, and checks the sidecar with it', async () => {
    await show();
    await change(uri, 'pools:\n', 'pools:\n  qwen: { slots: 1 }\n');
    writeFileSync(sidecar.fsPath, 'endpoints:\n  tower: { localty: lan }\n');
    await vscode.window.showTextDocument(sidecar);
    await problem(sidecar, /localty/);
    await change(sidecar, 'localty', 'locality');
    await noProblem(sidecar, /localty/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    rmSync(sidecar.fsPath);
  });

  it('is checked also when its language is set to another one', async () => {
    const { document } = await show();
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    await change(uri, 'max_concurrent', 'max_concurent');
    await problem(uri, /max_concurent/);
  });

  it('comes back when its process is killed', async () => {
    await show();
    const [killed = 0] = languageServers(world.repo.scratch);
    process.kill(killed, 'SIGKILL');
    await eventually(
      () => languageServers(world.repo.scratch).some((pid) => pid !== killed),
      'another process',
    );
    await change(uri, 'max_concurrent', 'max_concurent');
    await problem(uri, /max_concurent/);
  });

  it('stays away when it ends again and again, until a person starts it', async function () {
    this.timeout(120_000);
    await show();
    const servers = (): number[] => languageServers(world.repo.scratch);
    /** Longer than the longest wait before another try. */
    const comes = async (): Promise<boolean> => {
      const deadlineMs = Date.now() + 13_000;
      while (servers().length === 0 && Date.now() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return servers().length > 0;
    };
    let ends = 0;
    while (await comes()) {
      assert.ok(++ends <= 5, 'five ends in three minutes are too many');
      for (const pid of servers()) process.kill(pid, 'SIGKILL');
      await eventually(() => servers().length === 0, 'it is gone');
    }
    await vscode.commands.executeCommand(COMMANDS.restartLanguageServer);
    assert.equal(servers().length, 1);
    await change(uri, 'max_concurrent', 'max_concurent');
    await problem(uri, /max_concurent/);
  });

  it('moves a key to the secret store: it is in no other file when the text is saved', async () => {
    await show();
    const line = `    api_key: ${KEY}\n`;
    await change(uri, '    max_concurrent: 2\n', `    max_concurrent: 2\n${line}`);
    const found = await problem(uri, /literal|written|secret/i);
    assert.ok(!found.message.includes(KEY), 'the problem does not repeat the key');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      found.range,
    );
    const move = actions.find(({ command }) => command?.command === COMMANDS.moveSecret);
    assert.ok(move?.command, JSON.stringify(actions.map(({ title }) => title)));
    const name = await vscode.commands.executeCommand<string>(
      move.command.command,
      ...((move.command.arguments ?? []) as unknown[]),
    );
    assert.match(await text(), new RegExp(`api_key: ['"]?\\$\\{secret:${name}\\}`));
    await (await vscode.workspace.openTextDocument(uri)).save();
    await noProblem(uri, /literal|written/i);
    assert.deepEqual(filesWith(KEY, world.repo.scratch), [
      join(dirname(world.modelsFile), 'secrets.json'),
    ]);
    // Undo brings it back into the text, and only there.
    await vscode.commands.executeCommand('undo');
    assert.ok((await text()).includes(KEY));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  itOnPage('asks for another name where that one is taken', async () => {
    await world.bridge.secrets.set('attic', 'of somebody else');
    await show();
    await change(uri, ':9\n', `:9\n    api_key: ${KEY}\n`);
    await problem(uri, /literal|written|secret/i);
    const done = vscode.commands.executeCommand<string>(
      COMMANDS.moveSecret,
      ...[uri.toString(), ['endpoints', 'attic', 'api_key'], 'attic'],
    );
    await onPage(({ page }) =>
      page.locator('.quick-input-widget', { hasText: 'There is a secret attic already' }).waitFor(),
    );
    await onPage(({ press }) => press('Enter'));
    assert.equal(await done, 'attic-2');
    assert.match(await text(), /\$\{secret:attic-2\}/);
  });

  itOnPage('sets and deletes a secret by keyboard, and says what uses it', async () => {
    await show();
    if (world.bridge.secrets.state().names.includes('cellar'))
      await world.bridge.secrets.delete('cellar');
    await change(uri, ':9\n', ':9\n    api_key: ${secret:cellar}\n');
    const set = vscode.commands.executeCommand<string>(COMMANDS.setSecret);
    await onPage(({ page }) =>
      page.locator('.quick-input-list .monaco-list-row', { hasText: 'cellar' }).waitFor(),
    );
    await onPage(({ press }) => press('Enter'));
    await onPage(({ page }) =>
      page.locator('.quick-input-widget', { hasText: 'Set the secret cellar' }).waitFor(),
    );
    await onPage(({ page }) =>
      page.locator('.quick-input-widget input[type=password]').first().waitFor(),
    );
    await onPage(({ page }, input) => page.keyboard.insertText(input), KEY);
    await onPage(({ press }) => press('Enter'));
    assert.equal(await set, 'cellar');
    assert.ok(world.bridge.secrets.state().names.includes('cellar'));

    const deleted = vscode.commands.executeCommand<string>(COMMANDS.deleteSecret, 'cellar');
    await onPage(({ page }) =>
      page.locator('.quick-input-list .monaco-list-row', { hasText: 'Delete it' }).waitFor(),
    );
    const question = await onPage(
      async ({ page }) =>
        (await page.locator('.quick-input-widget input').first().getAttribute('placeholder')) ?? '',
    );
    assert.match(question, /used in models\.yaml:\d+/);
    await onPage(({ press }) => press('Enter'));
    assert.equal(await deleted, 'cellar');
    assert.ok(!world.bridge.secrets.state().names.includes('cellar'));
  });

  it('has changed nothing that was not saved', () => {
    assert.equal(readFileSync(world.modelsFile, 'utf8'), saved);
    assert.equal(existsSync(sidecar.fsPath), false);
    assert.deepEqual(
      problemsOf(uri).filter((message) => message.includes(KEY)),
      [],
    );
  });
});

/** Files below a folder that contain a text. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < 20_000_000 && readFileSync(file).includes(text));
}
