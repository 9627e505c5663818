import { after, before, describe } from 'mocha';
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import type { SetupPlan } from '../../src/protocol/ui/uiTools.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import { pick, press, quickPick } from './support/reviewPage.ts';

type Parts = SetupPlan['parts'] | undefined;

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

describe('Set Up Claude Code in VS Code', () => {
  const world = hostWorld();
  const at = (name: string): string => join(world.repo.home, name);
  const start = (command: 'setUpClaudeCode' | 'removeFromClaudeCode'): Thenable<Parts> =>
    vscode.commands.executeCommand<Parts>(COMMANDS[command]);
  const tabLabels = (): string[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  const titleIs = (title: RegExp): Promise<unknown> =>
    eventually(async () => {
      const shown = await onPage(({ page }) => page.locator('.quick-input-title').allInnerTexts());
      return shown.some((text) => title.test(text));
    }, `a quick pick with the title ${title.source}`);

  /** Checks a row of the list, or takes its check away. */
  const toggle = (label: string): Promise<void> =>
    onPage(
      ({ page }, text) =>
        page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: text }).click(),
      label,
    );

  before(async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    mkdirSync(at('.claude'), { recursive: true });
    writeFileSync(at('.claude/settings.json'), SETTINGS);
    writeFileSync(at('.claude/CLAUDE.md'), '# Mine\n');
    chmodSync(at('.claude/settings.json'), 0o600);
  });
  after(() => world.dispose());

  itOnPage(
    'shows the parts, then every file, and writes nothing that is not confirmed',
    async function () {
      this.timeout(120_000);
      const done = start('setUpClaudeCode');
      await titleIs(/^Set Up Claude Code$/);
      const { rows } = await quickPick();
      assert.equal(rows.length, 4);
      assert.match(rows.join('\n'), /MCP server "delegate" for every project of yours.*not there/);
      await press('Enter');
      await titleIs(/the changes are shown below/);
      await eventually(
        () => tabLabels().some((label) => label.startsWith('Set Up Claude Code')),
        'the changes are shown',
      );
      await eventually(
        () =>
          onPage(({ page }) =>
            page
              .locator(
                '.multiDiffEntry, .multi-diff-root-floating-menu, .diff-editor, .monaco-diff-editor',
              )
              .count()
              .then((count) => count > 0),
          ),
        'a diff is there',
      );
      await shot('set-up-claude-code');
      await pick('Leave everything as it is');
      assert.equal(await done, undefined);
      assert.deepEqual(
        tabLabels().filter((label) => label.startsWith('Set Up')),
        [],
      );
      assert.ok(!existsSync(at('.claude.json')));
      assert.equal(readFileSync(at('.claude/settings.json'), 'utf8'), SETTINGS);
    },
  );

  itOnPage('writes what was confirmed, and only the parts that were checked', async function () {
    this.timeout(120_000);
    const done = start('setUpClaudeCode');
    await titleIs(/^Set Up Claude Code$/);
    await toggle('delegate-relay');
    await press('Enter');
    await titleIs(/the changes are shown below/);
    await pick('Write 4 files');
    const parts = await done;
    assert.deepEqual(
      parts?.map(({ part, state, problem }) => [part, state, problem]),
      [
        ['registration', 'installed', null],
        ['skill', 'installed', null],
        ['hook', 'installed', null],
      ],
    );
    const settings = readFileSync(at('.claude/settings.json'), 'utf8');
    assert.ok(settings.includes('// mine') && settings.includes('prompt-hook.sh'), settings);
    assert.ok(!existsSync(at('.claude/agents')));
    const { mcpServers } = JSON.parse(readFileSync(at('.claude.json'), 'utf8')) as {
      mcpServers: { delegate: { command: string } };
    };
    assert.ok(existsSync(mcpServers.delegate.command));
  });

  itOnPage('asks again before it removes what somebody has edited', async function () {
    this.timeout(120_000);
    const skill = at('.claude/skills/delegate/SKILL.md');
    writeFileSync(skill, `${readFileSync(skill, 'utf8')}mine\n`);
    const done = start('removeFromClaudeCode');
    await titleIs(/^Remove from Claude Code$/);
    const { rows } = await quickPick();
    assert.equal(rows.length, 3);
    assert.match(rows.join('\n'), /changed since it was written/);
    await press('Enter');
    await titleIs(/the changes are shown below/);
    await pick('Write or remove 3 files');
    const parts = await done;
    assert.deepEqual(
      parts?.map(({ part, state }) => [part, state]),
      [
        ['registration', 'absent'],
        ['hook', 'absent'],
      ],
    );
    assert.equal(readFileSync(at('.claude/settings.json'), 'utf8'), SETTINGS);
    assert.ok(!existsSync(at('.claude.json')));
    assert.ok(readFileSync(skill, 'utf8').endsWith('mine\n'));

    const rest = start('removeFromClaudeCode');
    await titleIs(/^Remove from Claude Code$/);
    await toggle('Skill "delegate"');
    await press('Enter');
    await titleIs(/the changes are shown below/);
    await pick('Write or remove 1 file');
    assert.deepEqual(
      (await rest)?.map(({ state }) => state),
      ['absent'],
    );
    assert.ok(!existsSync(at('.claude/skills')));
    assert.equal(readFileSync(at('.claude/CLAUDE.md'), 'utf8'), '# Mine\n');
    assert.equal(await start('removeFromClaudeCode'), undefined, 'nothing is left to remove');
  });

  itOnPage('offers its server to VS Code, which starts it', async function () {
    this.timeout(180_000);
    await onPage((driver) => driver.runCommand('MCP: List Servers'));
    await pick('Delegation Bridge');
    await pick('Start Server');
    await onPage(({ page }) =>
      page
        .getByRole('button', { name: 'Trust', exact: true })
        .click({ timeout: 5_000 })
        .catch(() => undefined),
    );
    await eventually(async () => {
      await onPage((driver) => driver.runCommand('MCP: List Servers'));
      const { rows } = await quickPick();
      await press('Escape');
      return rows.some((row) => /Delegation Bridge/.test(row) && /Running/.test(row));
    }, 'the server runs');
  });
});
