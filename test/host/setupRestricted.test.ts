import { after, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage } from './support/page.ts';
import { press } from './support/reviewPage.ts';

describe('Set Up Claude Code in Restricted Mode', () => {
  const world = hostWorld();
  after(() => world.dispose());

  it('writes nothing, whoever calls the command', async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    assert.equal(vscode.workspace.isTrusted, false);
    for (const command of [COMMANDS.setUpClaudeCode, COMMANDS.removeFromClaudeCode]) {
      assert.equal(await vscode.commands.executeCommand(command), undefined);
    }
    for (const name of ['.claude', '.claude.json']) {
      assert.ok(!existsSync(join(world.repo.home, name)), name);
    }
  });

  itOnPage('offers no server to VS Code', async function () {
    this.timeout(90_000);
    await onPage((driver) => driver.runCommand('MCP: List Servers'));
    const rows = await onPage(async ({ page }) => {
      const list = page.locator('.quick-input-widget .monaco-list-row');
      await list.first().waitFor();
      return list.allInnerTexts();
    });
    assert.ok(!rows.some((row) => row.includes('Delegation Bridge')), rows.join('\n'));
    await press('Escape');
  });
});
