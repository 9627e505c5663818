import { after, afterEach, beforeEach, describe } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { eventually } from './eventually.ts';
import {
  formShows,
  formText,
  openForm,
  showSection,
  tabsOf,
  unfold,
  valueOfKey,
  writeKey,
} from './support/formPage.ts';
import { hostWorld } from './support/hostWorld.ts';
import { keyIdOf } from './support/keyIdOf.ts';
import { itOnPage, onPage } from './support/page.ts';

const KEY = 'sk-of-this-test-0123456789';
const world = hostWorld();
const sidecar = join(dirname(world.modelsFile), 'models.local.yaml');
after(() => world.dispose());

/** As a person has written it, with comments and quotes that an edit could lose. */
const TEXT = `# Where models are served.
endpoints:   # the order is the priority
  rehearsal: { base_url: ${world.rehearsalUrl}, max_concurrent: 8 } # mine

  tower:     # the other one
    base_url: "http://127.0.0.1:9"   # nothing listens
    host: 'under the desk'
gates:
  tests: { run: node --test, kind: tests, protect: ['test/**'] }
`;

const onDisk = (): string => readFileSync(world.modelsFile, 'utf8');

/** The text as it is when this part of it is another one. */
const withPart = (part: string, other: string): string => {
  assert.ok(TEXT.includes(part), part);
  return TEXT.replace(part, other);
};

describe('the form of models.yaml', function () {
  this.timeout(120_000);

  beforeEach(() => {
    writeFileSync(world.modelsFile, TEXT);
    rmSync(sidecar, { force: true });
  });
  afterEach(async () => {
    for (const { input } of tabsOf(world.modelsFile)) {
      const { uri } = input as vscode.TabInputText;
      const document = vscode.workspace.textDocuments.find(
        (each) => each.uri.fsPath === uri.fsPath,
      );
      if (document?.isDirty === true) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  itOnPage('shows what the file says, and what answers there now', async () => {
    await openForm(world.modelsFile);
    await formShows('[data-path="endpoints.rehearsal"]', /up[\s\S]*rehearsal/);
    await formShows('[data-path="endpoints.tower"]', /down[\s\S]*nothing listens/);
    await unfold('endpoints.tower');
    assert.equal(await valueOfKey('endpoints.tower.host'), 'under the desk');
  });

  itOnPage(
    'changes only the text of what was edited; undo, redo and save are those of VS Code',
    async () => {
      const document = await openForm(world.modelsFile);
      await unfold('endpoints.tower');
      await writeKey('endpoints.tower.host', 'on the roof');
      const changed = withPart("'under the desk'", "'on the roof'");
      await eventually(
        () => document.getText() === changed,
        () => document.getText(),
      );
      assert.equal(document.isDirty, true);
      assert.equal(onDisk(), TEXT, 'nothing is saved unasked');

      await vscode.commands.executeCommand('undo');
      await eventually(() => document.getText() === TEXT, 'the old text');
      await eventually(
        async () => (await valueOfKey('endpoints.tower.host')) === 'under the desk',
        'the form shows the old value',
      );
      assert.equal(document.isDirty, false, 'the text is that of the file');
      await vscode.commands.executeCommand('redo');
      await eventually(() => document.getText() === changed, 'the new text again');

      await vscode.commands.executeCommand('workbench.action.files.save');
      await eventually(() => onDisk() === changed, 'the file is saved');
      assert.equal(document.isDirty, false);
    },
  );

  itOnPage('makes one step of Undo of one change, whatever it takes', async () => {
    const document = await openForm(world.modelsFile);
    await onPage(({ webview }) =>
      webview().getByRole('button', { name: 'Remove tower', exact: true }).click(),
    );
    await onPage(({ webview }) => webview().locator('.confirm .danger').click());
    await eventually(
      () => !document.getText().includes('tower'),
      () => document.getText(),
    );
    await vscode.commands.executeCommand('undo');
    await eventually(
      () => document.getText() === TEXT,
      () => document.getText(),
    );
  });

  itOnPage('follows the file while it has no changes of its own', async () => {
    const document = await openForm(world.modelsFile);
    await unfold('endpoints.tower');
    writeFileSync(world.modelsFile, withPart("'under the desk'", 'in the cellar'));
    await eventually(
      async () => (await valueOfKey('endpoints.tower.host')) === 'in the cellar',
      'the form shows what was written',
    );
    assert.equal(document.isDirty, false);
  });

  itOnPage(
    'loses nothing when the file changes under unsaved edits: saving is a conflict',
    async () => {
      const document = await openForm(world.modelsFile);
      await unfold('endpoints.tower');
      await writeKey('endpoints.tower.host', 'mine');
      await eventually(() => document.isDirty, 'unsaved changes');
      const theirs = withPart("'under the desk'", 'theirs');
      writeFileSync(world.modelsFile, theirs);
      assert.equal(await document.save(), false, 'VS Code asks first');
      assert.equal(onDisk(), theirs);
      assert.equal(await valueOfKey('endpoints.tower.host'), 'mine');
      assert.equal(document.isDirty, true);
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await eventually(
        async () => (await valueOfKey('endpoints.tower.host')) === 'theirs',
        'after Revert the form shows the file',
      );
    },
  );

  itOnPage('agrees with a text editor and another form of the same file', async () => {
    const document = await openForm(world.modelsFile);
    await unfold('endpoints.tower');
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    await openForm(world.modelsFile, vscode.ViewColumn.Three);
    const notes = (form: number): Promise<string> =>
      onPage(
        ({ page }, input) =>
          page
            .frameLocator('iframe.webview.ready')
            .nth(input.form)
            .frameLocator('iframe#active-frame')
            .locator(input.id)
            .inputValue(),
        { form, id: keyIdOf('endpoints.tower.host') },
      );
    await eventually(async () => (await countForms()) === 2, 'two forms');
    for (const form of [0, 1])
      await onPage(
        async ({ page }, input) => {
          const fold = page
            .frameLocator('iframe.webview.ready')
            .nth(input.form)
            .frameLocator('iframe#active-frame')
            .locator(input.id);
          if ((await fold.getAttribute('aria-expanded')) !== 'true') await fold.click();
        },
        { form, id: keyIdOf('endpoints.tower') },
      );
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf('under'));
    edit.insert(document.uri, at, 'right ');
    await vscode.workspace.applyEdit(edit);
    for (const form of [0, 1])
      await eventually(
        async () => (await notes(form)) === 'right under the desk',
        `form ${form} follows the text`,
      );
  });

  itOnPage(
    'gives way to the text at the key that had the focus, and comes back at the cursor, in one tab',
    async () => {
      await openForm(world.modelsFile);
      await unfold('endpoints.tower');
      await onPage(
        ({ webview }, id) => webview().locator(id).focus(),
        keyIdOf('endpoints.tower.base_url'),
      );
      // The page's own button says the key with it; for the command the page has told it before, soon after the focus came.
      await onPage(({ webview }) =>
        webview().getByRole('button', { name: 'Open as YAML' }).click(),
      );
      await eventually(() => {
        const shown = vscode.window.activeTextEditor;
        if (shown?.document.uri.fsPath !== world.modelsFile) return false;
        return /base_url: "http/.test(shown.document.lineAt(shown.selection.active.line).text);
      }, 'the text at the key');
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      assert.equal(tabsOf(world.modelsFile).length, 1, 'one tab');

      const place = editor.document.getText().indexOf('node --test');
      const at = editor.document.positionAt(place);
      editor.selection = new vscode.Selection(at, at);
      await vscode.commands.executeCommand(COMMANDS.openForm);
      await formShows('#section-title', 'Gates');
      await eventually(
        () =>
          onPage(
            ({ webview }, id) =>
              webview()
                .locator(id)
                .evaluate((each): boolean => each === each.ownerDocument.activeElement),
            keyIdOf('gates.tests.run'),
          ),
        'the key of the cursor has the focus',
      );
      assert.equal(tabsOf(world.modelsFile).length, 1, 'still one tab');
    },
  );

  itOnPage('takes unsaved changes along from form to text and back', async () => {
    const document = await openForm(world.modelsFile);
    await unfold('endpoints.tower');
    await writeKey('endpoints.tower.host', 'not saved');
    await eventually(() => document.isDirty, 'unsaved changes');
    await vscode.commands.executeCommand(COMMANDS.openYaml);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /not saved/);
    await vscode.commands.executeCommand(COMMANDS.openForm);
    await eventually(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputCustom,
      'the form',
    );
    // Nothing is put in the place of an editor that holds unsaved text.
    assert.equal(tabsOf(world.modelsFile).length, 2);
    assert.match(document.getText(), /not saved/);
    assert.equal(document.isDirty, true);
    assert.equal(onDisk(), TEXT);
  });

  itOnPage('comes back as it was left when it was hidden', async () => {
    await openForm(world.modelsFile);
    await showSection('gates');
    await formShows('#section-title', 'Gates');
    const other = await vscode.workspace.openTextDocument({ content: 'something else' });
    await vscode.window.showTextDocument(other, { preview: false });
    await eventually(async () => (await countForms()) === 0, 'its page is gone');
    writeFileSync(world.modelsFile, withPart('kind: tests', 'kind: syntax'));
    await openForm(world.modelsFile);
    await formShows('#section-title', 'Gates');
    await unfold('gates.tests');
    assert.equal(await valueOfKey('gates.tests.kind'), 'syntax');
    await vscode.window.showTextDocument(other);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  itOnPage(
    'registers what answers at an address: to the file as a change, to the sidecar at once',
    async () => {
      const server = await startRehearsal({ model: 'Qwen3.8-27B', context: 131_072 });
      try {
        const document = await openForm(world.modelsFile);
        await ask(server.url);
        await formShows('.found-list', /Qwen3\.8-27B/);
        await registerAs('gpu', false);
        await eventually(
          () => document.getText().includes('gpu:'),
          () => document.getText(),
        );
        assert.ok(document.getText().includes(server.url));
        assert.equal(onDisk(), TEXT, 'the file is changed in the editor alone');
        await vscode.commands.executeCommand('undo');
        await eventually(
          () => document.getText() === TEXT,
          () => document.getText(),
        );
        await ask(server.url);
        await formShows('.found-list', /Qwen3\.8-27B/);
        await registerAs('gpu', true);
        await eventually(() => existsSync(sidecar), 'a sidecar');
        await eventually(
          () => readFileSync(sidecar, 'utf8').includes(server.url),
          () => readFileSync(sidecar, 'utf8'),
        );
        assert.equal(document.getText(), TEXT);
      } finally {
        await server.close();
      }
    },
  );

  itOnPage('shows no key that stands in the file, and moves it to the secret store', async () => {
    rmSync(join(dirname(world.modelsFile), 'secrets.json'), { force: true });
    const literal = withPart('max_concurrent: 8', `api_key: ${KEY}`);
    writeFileSync(world.modelsFile, literal);
    const document = await openForm(world.modelsFile);
    await unfold('endpoints.rehearsal');
    await formShows('[data-path="endpoints.rehearsal.api_key"]', /A key stands in the file/);
    const html = await onPage(({ webview }) => webview().locator('html').innerHTML());
    assert.equal(html.includes(KEY), false);
    await onPage(({ webview }) =>
      webview()
        .getByRole('button', { name: /^Move the key to the secret store/ })
        .first()
        .click(),
    );
    const moved = withPart('max_concurrent: 8', 'api_key: "${secret:rehearsal}"');
    await eventually(
      () => document.getText() === moved,
      () => document.getText(),
    );
    const secrets = readFileSync(join(dirname(world.modelsFile), 'secrets.json'), 'utf8');
    assert.deepEqual(JSON.parse(secrets), { rehearsal: KEY });
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  itOnPage('runs a gate of the saved file, and only of that', async () => {
    const document = await openForm(world.modelsFile);
    await showSection('gates');
    await unfold('gates.tests');
    await writeKey('gates.tests.kind', 'unit');
    await eventually(() => document.isDirty, 'unsaved changes');
    await runGate();
    await formShows('[data-path="gates.tests"]', /not saved/);
    await document.save();
    await runGate();
    // The sample has a bug on purpose.
    await formShows('[data-path="gates.tests"]', /failed[\s\S]*range includes both ends/);
    assert.equal(readFileSync(join(world.repo.root, 'src/range.js'), 'utf8').includes('<='), false);
  });

  itOnPage(
    'stays usable while a server accepts and never answers, and says that nothing newer is known',
    async () => {
      const server = createServer(() => undefined);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        writeFileSync(
          world.modelsFile,
          withPart('"http://127.0.0.1:9"', `"http://127.0.0.1:${port}"`).concat(
            'defaults: { probe_timeout_s: 60 }\n',
          ),
        );
        const document = await openForm(world.modelsFile);
        await unfold('endpoints.tower');
        await writeKey('endpoints.tower.host', 'hangs');
        await eventually(
          () => document.getText().includes("'hangs'"),
          () => document.getText(),
        );
        await formShows('.live-line', /Asking/);
        assert.doesNotMatch(await formText('[data-path="endpoints.tower"] .summary'), /\bup\b/);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  );

  itOnPage(
    'takes foreign names for text, and blocks a script that gets in all the same',
    async () => {
      const evil = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
      writeFileSync(
        world.modelsFile,
        `${TEXT}  '${evil}': { run: '${evil}' }\nmodels:\n  '${evil}': { billing: flat }\n`,
      );
      await openForm(world.modelsFile);
      for (const section of ['gates', 'models']) {
        await showSection(section);
        await formShows('.cards', evil);
      }
      const isRun = await onPage(({ webview }) =>
        webview()
          .locator('body')
          .evaluate((body) => {
            const script = body.ownerDocument.createElement('script');
            script.textContent = 'globalThis.pwned = 1';
            body.append(script);
            const picture = body.ownerDocument.createElement('img');
            picture.src = 'https://example.invalid/x.png';
            body.append(picture);
            return [
              (globalThis as { pwned?: number }).pwned === 1,
              body.querySelectorAll('.form img, .form script').length,
            ];
          }),
      );
      assert.deepEqual(isRun, [false, 0]);
    },
  );

  itOnPage('opens and changes a file of five thousand lines', async () => {
    const many = Array.from(
      { length: 1250 },
      (_, n) => `  model-${n}:\n    billing: flat\n    # a note on ${n}\n    format: openai\n`,
    ).join('');
    const long = `${TEXT}models:\n${many}`;
    assert.ok(long.split('\n').length > 5000);
    writeFileSync(world.modelsFile, long);
    const document = await openForm(world.modelsFile);
    await unfold('endpoints.tower');
    await writeKey('endpoints.tower.host', 'long');
    const changed = long.replace("'under the desk'", "'long'");
    await eventually(() => document.getText() === changed, 'one value is another');
    await vscode.commands.executeCommand('undo');
    await eventually(() => document.getText() === long, 'the old text');
  });

  itOnPage(
    'says that a text is no YAML, changes nothing of it, and comes back when it is',
    async () => {
      const broken = `${TEXT}broken: [\n`;
      writeFileSync(world.modelsFile, broken);
      const document = await openForm(world.modelsFile);
      await formShows('body', /Open as YAML/);
      await eventually(
        () => onPage(async ({ webview }) => (await webview().locator('.entry').count()) === 0),
        'nothing to edit',
      );
      assert.equal(document.getText(), broken);
      writeFileSync(world.modelsFile, TEXT);
      await formShows('[data-path="endpoints"]', /tower/);
    },
  );

  async function ask(url: string): Promise<void> {
    await onPage(async ({ webview }, input) => {
      const open = webview().getByRole('button', { name: /^Register Endpoint/ });
      const address = webview().locator('#register-address');
      if (!(await address.isVisible())) await open.click();
      await address.fill(input);
      await address.press('Enter');
    }, url);
  }

  async function registerAs(name: string, isKeptOutOfGit: boolean): Promise<void> {
    await onPage(
      async ({ webview }, input) => {
        const found = webview().locator('.found-list > li').first();
        await found.getByLabel('name', { exact: true }).fill(input.name);
        const keep = found.locator('input[type=checkbox]');
        if ((await keep.isChecked()) !== input.isKeptOutOfGit) await keep.click();
        await found.getByRole('button', { name: /^Add/ }).click();
      },
      { name, isKeptOutOfGit },
    );
  }

  async function runGate(): Promise<void> {
    await onPage(({ webview }) =>
      webview()
        .getByRole('button', { name: /^Run now/ })
        .first()
        .click(),
    );
  }

  async function countForms(): Promise<number> {
    return onPage(({ page }) => page.locator('iframe.webview.ready').count());
  }
});
