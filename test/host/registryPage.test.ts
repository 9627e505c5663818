import { after, afterEach, beforeEach, describe } from 'mocha';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { eventually } from './eventually.ts';
import { focusedInForm, press, tabTo, typeText } from './support/formKeys.ts';
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
import { itOnPage, onPage, shot } from './support/page.ts';

const EVIL = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const PHONE = { width: 470, height: 900 };
const DESKTOP = { width: 1440, height: 900 };

const world = hostWorld();
const sidecar = join(dirname(world.modelsFile), 'models.local.yaml');
after(() => world.dispose());

/** Two of one's own, subscriptions behind a gateway, and some things to put right. */
const TEXT = `# Where models are served.
endpoints:
  # under the desk
  rehearsal: { base_url: ${world.rehearsalUrl}, max_concurrent: 8 }
  gpu-server:
    base_url: http://127.0.0.1:9
    backend: vllm
    notes: the rack in the cellar
  gateway:
    base_url: http://127.0.0.1:11/v1
    backend: litellm
    locality: cloud
    max_concurrent: lots
    api_key: \${secret:gateway}
pools:
  glm-: { slots: 6 }
  qwen: { slots: 2 }
failover:
  chains:
    glm-coding: [qwen-max, deepseek-flash, qwen-max]
    deepseek-flash: [glm-coding, local-qwen]
models:
  deepseek-flash: { format: openai, billing: metered }
  glm-*: { format: anthropic, billing: flat }
gates:
  tests: { run: node --test, kind: tests, protect: ['test/**'] }
  typecheck: { run: npx tsc --noEmit, kind: syntax }
fleet:
  planner: { model: rehearsal, endpoint: rehearsal }
`;

/** Names of the endpoints in a text, in their order. */
function endpointsOf(text: string): string[] {
  const [, section = ''] = /^endpoints:\n((?: .*\n)*)/m.exec(text) ?? [];
  return [...section.matchAll(/^ {2}([a-z-]+):/gm)].map(([, name = '']) => name);
}

async function open(text = TEXT): Promise<vscode.TextDocument> {
  writeFileSync(world.modelsFile, text);
  return openForm(world.modelsFile);
}

describe('the page of the form', function () {
  this.timeout(240_000);

  beforeEach(async () => {
    rmSync(sidecar, { force: true });
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });
  afterEach(async () => {
    for (const { input } of tabsOf(world.modelsFile)) {
      const { uri } = input as vscode.TabInputText;
      const document = vscode.workspace.textDocuments.find(
        (each) => each.uri.fsPath === uri.fsPath,
      );
      if (document?.isDirty === true)
        await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  itOnPage('is used from end to end by keyboard alone', async () => {
    const document = await open();
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await tabTo(keyIdOf('endpoints.gpu-server'));
    await press('Alt+ArrowUp');
    await eventually(
      () => endpointsOf(document.getText())[0] === 'gpu-server',
      () => document.getText(),
    );
    await eventually(
      async () => /gpu-server is now 1 of 3/.test(await formVoice()),
      'the new place is spoken',
    );
    assert.equal(await focusedInForm(), 'endpoints.gpu-server', 'the focus goes along');
    // Two at once: none is lost.
    await press('Alt+ArrowDown', 'Alt+ArrowDown');
    await eventually(
      () => endpointsOf(document.getText())[2] === 'gpu-server',
      () => document.getText(),
    );

    await press('Enter');
    await tabTo(keyIdOf('endpoints.gpu-server.notes'));
    await press('Control+A');
    await typeText('in the attic');
    await press('Escape');
    assert.equal(await valueOfKey('endpoints.gpu-server.notes'), 'the rack in the cellar');
    await press('Control+A');
    await typeText('in the attic');
    await press('Tab');
    await eventually(
      () => /notes: in the attic/.test(document.getText()),
      () => document.getText(),
    );

    await tabTo('[data-section="failover"]', 'Shift+Tab');
    await press('Enter');
    await tabTo(keyIdOf('failover.pinned'));
    await typeText('opus');
    await press('Enter');
    await eventually(
      () => /pinned: \[local-, ornith, codex, gpt-, opus\]/.test(document.getText()),
      () => document.getText(),
    );
    await tabTo(keyIdOf('failover.chains.glm-coding[1]'));
    await press('Alt+ArrowUp');
    await eventually(
      () => document.getText().includes('glm-coding: [deepseek-flash, qwen-max, qwen-max]'),
      () => document.getText(),
    );
    await eventually(
      async () => (await focusedInForm()) === 'failover.chains.glm-coding[0]',
      'the focus goes along',
    );
    await tabTo(keyIdOf('failover.chains.glm-coding[2]'));
    await press('Delete');
    await eventually(
      () => document.getText().includes('glm-coding: [deepseek-flash, qwen-max]'),
      () => document.getText(),
    );
    await tabTo(keyIdOf('failover.chains'));
    await typeText('kimi');
    await press('Enter');
    await eventually(
      async () => (await focusedInForm()) === 'Model that may stand in for kimi',
      'the first stand-in is asked for',
    );
    await typeText('glm-coding');
    await press('Enter');
    await eventually(
      () => /kimi: \[ ?glm-coding ?\]|kimi:\n +- glm-coding/.test(document.getText()),
      () => document.getText(),
    );

    await tabTo('[data-section="gates"]', 'Shift+Tab');
    await press('Enter');
    await tabTo('[aria-label="Rename typecheck"]');
    await press('Enter');
    await typeText('types');
    await press('Enter');
    await eventually(
      async () => (await focusedInForm()) === 'gates.types',
      'the renamed one has the focus',
    );
    await tabTo('[aria-label="Remove types"]');
    await press('Enter');
    await formShows('.section-gates', 'Remove the gate types?');
    await press('Enter');
    await eventually(
      () => !/types|typecheck/.test(document.getText()),
      () => document.getText(),
    );
  });

  itOnPage('moves an endpoint by dragging, with a line where it will stand', async () => {
    const document = await open();
    const line = await onPage(async ({ webview, page }) => {
      const entries = webview().locator('.section-endpoints .entry');
      const grip = await entries.nth(2).locator('.grip').boundingBox();
      const first = await entries.nth(0).boundingBox();
      if (grip === null || first === null) return 'nothing to drag';
      const x = grip.x + grip.width / 2;
      await page.mouse.move(x, grip.y + grip.height / 2);
      await page.mouse.down();
      await page.mouse.move(x, grip.y - 20, { steps: 5 });
      await page.mouse.move(x, first.y + 4, { steps: 5 });
      const marked = await webview().locator('.drop-above').getAttribute('data-path');
      await page.mouse.up();
      return marked;
    });
    assert.equal(line, 'endpoints.rehearsal');
    await eventually(
      () => endpointsOf(document.getText()).join() === 'gateway,rehearsal,gpu-server',
      () => document.getText(),
    );
    // Escape lets go of what is dragged.
    const before = document.getText();
    await onPage(async ({ webview, page }) => {
      const entries = webview().locator('.section-endpoints .entry');
      const grip = await entries.nth(0).locator('.grip').boundingBox();
      if (grip === null) return;
      await page.mouse.move(grip.x + 4, grip.y + 8);
      await page.mouse.down();
      await page.mouse.move(grip.x + 4, grip.y + 150, { steps: 5 });
      await page.keyboard.press('Escape');
      await page.mouse.up();
    });
    assert.equal(await onPage(({ webview }) => webview().locator('.dragged').count()), 0);
    assert.equal(document.getText(), before);
  });

  itOnPage('never loses what is typed, and says why it is not in the file', async () => {
    const document = await open();
    await unfold('endpoints.gpu-server');
    const notes = keyIdOf('endpoints.gpu-server.notes');
    await onPage(({ webview }, id) => webview().locator(id).fill('half a sent'), notes);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '# somebody else was here\n');
    await vscode.workspace.applyEdit(edit);
    await writeKey('endpoints.gpu-server.host', 'rack');
    await eventually(
      () => /host: rack/.test(document.getText()) && /notes: half a sent/.test(document.getText()),
      () => document.getText(),
    );

    await writeKey('endpoints.gpu-server.max_concurrent', '2 or 3');
    await formShows('[data-path="endpoints.gpu-server.max_concurrent"]', 'is not a number');
    assert.equal(await valueOfKey('endpoints.gpu-server.max_concurrent'), '2 or 3');
    const described = await onPage(async ({ webview }, id) => {
      const control = webview().locator(id);
      const ids = (await control.getAttribute('aria-describedby'))?.split(' ') ?? [];
      return {
        invalid: await control.getAttribute('aria-invalid'),
        text: await webview().locator(`[id="${ids[0]}"]`).innerText(),
      };
    }, keyIdOf('endpoints.gpu-server.max_concurrent'));
    assert.equal(described.invalid, 'true');
    assert.match(described.text, /"2 or 3" is not a number\. Use digits, or auto\./);
    assert.doesNotMatch(document.getText(), /2 or 3/);
    await onPage(({ webview }) => webview().getByRole('button', { name: 'Take back' }).click());
    assert.equal(await valueOfKey('endpoints.gpu-server.max_concurrent'), '');
  });

  itOnPage(
    'shows each problem at its key, in the words of the editor, with its fixes',
    async () => {
      const document = await open();
      await eventually(
        () => vscode.languages.getDiagnostics(document.uri).length > 3,
        'the problems of the editor',
      );
      await onPage(({ webview }) => webview().locator('.problem-summary').click());
      await eventually(async () => {
        const shown = await formText('.all-problems');
        return vscode.languages
          .getDiagnostics(document.uri)
          .every(({ message }) => shown.includes(message));
      }, 'each of them in the form, word for word');
      await onPage(({ webview }) =>
        webview().locator('.problem-row', { hasText: 'max_concurrent' }).click(),
      );
      assert.equal(await focusedInForm(), 'endpoints.gateway.max_concurrent');
      await showSection('failover');
      await formShows('[data-path="failover.chains.glm-coding[2]"]', /in this chain already/);
      await onPage(({ webview }) =>
        webview()
          .locator('[data-path="failover.chains.glm-coding[2]"] .fixes button')
          .first()
          .click(),
      );
      await eventually(
        () => document.getText().includes('glm-coding: [qwen-max, deepseek-flash]'),
        () => document.getText(),
      );
    },
  );

  itOnPage('never shows as live what was not asked at the address in the file', async () => {
    const document = await open();
    await formShows('[data-path="endpoints.rehearsal"]', /up/);
    await unfold('endpoints.rehearsal');
    await writeKey('endpoints.rehearsal.base_url', 'http://127.0.0.1:13');
    await eventually(() => document.isDirty, 'the new address');
    await formShows(
      '[data-path="endpoints.rehearsal"] .summary',
      /unknown[\s\S]*not asked at this address|down/,
    );
    assert.doesNotMatch(await formText('[data-path="endpoints.rehearsal"] .summary'), /\bup\b/);
  });

  itOnPage('registers what answers at an address: shown first, then written', async () => {
    const found = await startRehearsal({});
    try {
      const document = await open('# nothing yet\n');
      await formShows('.register', 'Register an endpoint');
      await onPage(
        ({ webview }, url) => webview().locator('#register-address').fill(url),
        found.url,
      );
      await press('Enter');
      await formShows('.found', /models[\s\S]*rehearsal/);
      await formShows('.preview', found.url);
      await shot('registry-register');
      await onPage(async ({ webview }) => {
        await webview().locator('.new-entry input[type=text]').fill('desk');
        await webview().locator('.new-entry').getByRole('button', { name: 'Add' }).click();
      });
      await eventually(
        () => document.getText().includes(`desk:`) && document.getText().includes(found.url),
        () => document.getText(),
      );
      await eventually(
        async () => (await focusedInForm()) === 'endpoints.desk',
        'the new endpoint has the focus',
      );
    } finally {
      await found.close();
    }
  });

  itOnPage('says what would miss an endpoint before it goes', async () => {
    await open();
    await onPage(({ webview }) =>
      webview().getByRole('button', { name: 'Remove rehearsal', exact: true }).click(),
    );
    await formShows('.confirm', /Remove the endpoint rehearsal\?\s+the role planner/);
    await press('Escape');
    assert.equal(await focusedInForm(), 'endpoints.rehearsal');
  });

  itOnPage('shows a file that is no YAML as problems and the way to its text', async () => {
    await open('endpoints:\n  a: [unclosed\n');
    await formShows('.all-problems', /line \d/);
    assert.equal(await onPage(({ webview }) => webview().locator('.sides').isVisible()), false);
    await onPage(({ webview }) => webview().getByRole('button', { name: 'Open as YAML' }).click());
    await eventually(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === world.modelsFile,
      'the text',
    );
  });

  itOnPage('runs and loads nothing that a file or a server brings along', async () => {
    const server = await evilServer();
    const { port } = server.address() as AddressInfo;
    const evil = JSON.stringify(EVIL);
    await onPage(({ page }) => {
      const store = globalThis as unknown as { refused: string[] };
      store.refused = [];
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) store.refused.push(message.text());
      });
    });
    try {
      await open(`defaults: { model: ${evil}, allowed_tools: [${evil}], max_turns: ${evil} }
endpoints:
  ${evil}: { base_url: ${evil}, notes: ${evil}, headers: { ${evil}: ${evil} }, ${evil}: ${evil}, api_key: { ${evil}: "\${secret:x}" } }
  real: { base_url: "http://127.0.0.1:${port}", host: ${evil} }
pools: { ${evil}: { slots: ${evil} } }
failover: { pinned: [${evil}], chains: { ${evil}: [${evil}, ${evil}] } }
models: { ${evil}: { format: ${evil} } }
gates: { ${evil}: { run: ${evil} } }
fleet: { ${evil}: { model: ${evil}, endpoint: real } }
${evil}: 1
`);
      await formShows('[data-path="endpoints.real"]', 'img src=x');
      await unfold('endpoints.real');
      await unfold(`endpoints[${evil}]`);
      await formShows('.models', EVIL);
      await onPage(({ webview }) => webview().locator('.problem-summary').click());
      for (const section of ['pools', 'failover', 'models', 'defaults', 'gates', 'fleet']) {
        await showSection(section);
        await onPage(async ({ webview }) => {
          const folds = webview().locator('.section .fold[aria-expanded="false"]');
          while ((await folds.count()) > 0) await folds.first().click();
        });
        await formShows('.section', section === 'defaults' ? /allowed_tools/ : EVIL);
        const found = await onPage(({ webview }) =>
          webview()
            .locator('body')
            .evaluate((body) => ({
              pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
              elements: body.querySelectorAll(
                'img, iframe, object, embed, a[href], form, style, [onerror], [style]',
              ).length,
              scripts: body.querySelectorAll('script').length,
            })),
        );
        assert.deepEqual(found, { pwned: null, elements: 0, scripts: 1 }, section);
      }
      await onPage(async ({ webview }) => {
        await webview().getByRole('button', { name: 'Register Endpoint…' }).click();
      });
      await onPage(
        ({ webview }, url) => webview().locator('#register-address').fill(url),
        `http://127.0.0.1:${port}`,
      );
      await press('Enter');
      await formShows('.found', EVIL);
      const refused = await onPage(() => (globalThis as unknown as { refused: string[] }).refused);
      assert.deepEqual(refused, []);
    } finally {
      server.close();
    }
  });

  itOnPage('draws of five thousand lines what is looked at, and a key changes little', async () => {
    const each = (count: number, line: (n: number) => string): string =>
      Array.from({ length: count }, (_, n) => line(n)).join('');
    const document = await open(
      [
        'endpoints:\n',
        each(250, (n) => `  host${n}:\n    base_url: http://127.0.0.1:${20_000 + n}\n`),
        'pools:\n',
        each(500, (n) => `  p${n}:\n    slots: 3\n`),
        'models:\n',
        each(250, (n) => `  m${n}: {}\n`),
        'failover:\n  chains:\n',
        each(20, (n) => `    c${n}:\n${each(125, (m) => `      - m${m}\n`)}`),
        each(800, () => '#\n'),
      ].join(''),
    );
    assert.ok(document.lineCount > 5_000);
    const count = (selector: string): Promise<number> =>
      onPage(({ webview }, input) => webview().locator(input).count(), selector);
    await eventually(async () => (await count('.section-endpoints .entry')) === 250, 'all cards');
    assert.equal(await count('.section .field'), 0, 'nothing of a folded one is drawn');
    const folded = await count('.section *');
    assert.ok(folded < 250 * 40, `${folded} elements`);
    await unfold('endpoints.host249');
    const perKey = await changesWhile(async () => {
      await onPage(
        async ({ webview }, id) => webview().locator(id).pressSequentially('x'),
        keyIdOf('endpoints.host249.host'),
      );
    });
    assert.ok(perKey < 5, `one letter changes ${perKey} nodes`);
    const perEdit = await changesWhile(async () => {
      await press('Enter');
      await eventually(
        () => /host: x/.test(document.getText()),
        () => document.getText().slice(0, 400),
      );
    });
    assert.ok(perEdit < 60, `one edit changes ${perEdit} nodes`);
    for (const section of ['pools', 'failover', 'models', 'endpoints']) await showSection(section);
    assert.equal(await count('.section'), 1, 'one section is in the document');
  });

  for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast']) {
    itOnPage(`has no serious finding of axe in ${theme}`, async () => {
      const settings = vscode.workspace.getConfiguration('workbench');
      await settings.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      await open();
      await formShows('[data-path="endpoints.rehearsal"]', /up/);
      await formShows('[data-path="endpoints.gpu-server"]', /down/);
      if (theme === 'Default Dark Modern') await shot('registry-form');
      if (theme === 'Default High Contrast') await shot('registry-form-high-contrast');
      await unfold('endpoints.gateway');
      await axeIsContent(`${theme}: endpoints`);
      await onPage(({ webview }) =>
        webview().getByRole('button', { name: 'Register Endpoint…' }).click(),
      );
      await axeIsContent(`${theme}: register`);
      await onPage(({ webview }) => webview().locator('.problem-summary').click());
      for (const section of ['pools', 'failover', 'defaults', 'runners', 'gates', 'secrets']) {
        await showSection(section);
        await axeIsContent(`${theme}: ${section}`);
      }
      if (theme === 'Default Dark Modern') {
        await onPage(({ webview }) => webview().locator('.problem-summary').click());
        await showSection('failover');
        await shot('registry-chains');
      }
      await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    });
  }

  itOnPage('fits a narrow editor: the sections are chosen from a box', async () => {
    await open();
    await onPage(({ page }, size) => page.setViewportSize(size), PHONE);
    try {
      await onPage(async ({ webview }) => {
        await webview().locator('.nav-select select').waitFor();
        await webview().locator('.nav-select select').selectOption('failover');
      });
      await formShows('#section-title', 'Failover');
      for (const section of ['endpoints', 'failover', 'defaults', 'gates', 'secrets']) {
        const beyond = await onPage(async ({ webview }, input) => {
          await webview().locator('.nav-select select').selectOption(input);
          return webview()
            .locator('.scroll')
            .evaluate((frame) => frame.scrollWidth - frame.clientWidth);
        }, section);
        assert.ok(beyond <= 0, `${section}: ${beyond} px are beyond the edge`);
      }
      await axeIsContent('narrow');
    } finally {
      await onPage(({ page }, size) => page.setViewportSize(size), DESKTOP);
    }
  });
});

async function formVoice(): Promise<string> {
  return onPage(({ webview }) =>
    webview()
      .locator('body > [role=status]')
      .evaluate((voice) => voice.textContent ?? ''),
  );
}

async function axeIsContent(where: string): Promise<void> {
  const findings = await onPage(({ axe }) => axe({ isWebview: true }));
  assert.deepEqual(
    findings.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
    [],
    where,
  );
}

/** What is used of a browser's window in functions that run on the page. */
interface Browser {
  readonly MutationObserver: new (
    told: (changes: readonly { readonly addedNodes: { readonly length: number } }[]) => void,
  ) => { observe(target: unknown, options: object): void; disconnect(): void };
  watch: { disconnect(): void };
  changes: number;
}

/** How many changes the document of the form sees meanwhile: what it costs, on whatever machine. */
async function changesWhile(act: () => Promise<void>): Promise<number> {
  await onPage(({ webview }) =>
    webview()
      .locator('.form')
      .evaluate((form) => {
        const browser = globalThis as unknown as Browser;
        browser.changes = 0;
        browser.watch = new browser.MutationObserver((changes) => {
          browser.changes += changes.length;
        });
        (browser.watch as unknown as { observe(target: unknown, options: object): void }).observe(
          form,
          { childList: true, subtree: true, attributes: true, characterData: true },
        );
      }),
  );
  await act();
  return onPage(({ webview }) =>
    webview()
      .locator('.form')
      .evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const browser = globalThis as unknown as Browser;
        browser.watch.disconnect();
        return browser.changes;
      }),
  );
}

/** A model server whose only model has a name that is HTML. */
async function evilServer(): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/models') === true)
      response.end(JSON.stringify({ object: 'list', data: [{ id: EVIL, object: 'model' }] }));
    else {
      response.statusCode = 404;
      response.end('{}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
