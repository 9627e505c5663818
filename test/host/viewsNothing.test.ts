import { describe } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { itOnPage } from './support/page.ts';
import { welcomeOf } from './support/treeRows.ts';

describe('the sidebar of a window without a folder', () => {
  itOnPage('leads to a folder', async () => {
    await vscode.commands.executeCommand('workbench.view.extension.delegationBridge');
    await eventually(
      async () => (await welcomeOf('Jobs')).includes('Open Folder'),
      'the welcome text',
    );
    assert.match(await welcomeOf('Jobs'), /Jobs work on a git repository/);
  });
});
