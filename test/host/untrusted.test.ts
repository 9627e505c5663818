import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { serverProcesses } from './serverProcesses.ts';
import { itOnPage, onPage } from './support/page.ts';

describe('the extension in a window that is not trusted', () => {
  it('runs its server restricted', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const extension = vscode.extensions.getExtension('delegation-bridge.delegation-bridge');
    await extension?.activate();
    const { version } = extension?.packageJSON as { version: string };
    assert.equal(await vscode.commands.executeCommand(COMMANDS.showServerVersion), version);
    assert.deepEqual(
      serverProcesses().map(({ args }) => args.slice(2)),
      [['--profile', 'ui', '--restricted']],
    );
  });

  itOnPage('replaces it by one that is not restricted once the workspace is trusted', async () => {
    await vscode.commands.executeCommand('workbench.trust.manage');
    await onPage(({ page }) =>
      page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click(),
    );
    await eventually(() => vscode.workspace.isTrusted, 'the workspace is trusted');
    await eventually(async () => {
      await vscode.commands.executeCommand(COMMANDS.showServerVersion);
      const servers = serverProcesses().map(({ args }) => args.slice(2).join(' '));
      return servers.length === 1 && servers[0] === '--profile ui';
    }, 'one server without --restricted');
  });
});
