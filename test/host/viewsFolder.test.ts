import { describe } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { itOnPage } from './support/page.ts';
import { welcomeOf } from './support/treeRows.ts';

describe('the sidebar of a folder that is no repository', () => {
  itOnPage('says why that matters, and makes one', async () => {
    await vscode.commands.executeCommand('workbench.view.extension.delegationBridge');
    await eventually(
      async () => (await welcomeOf('Jobs')).includes('Initialize Repository'),
      'the welcome text',
    );
    assert.match(await welcomeOf('Jobs'), /This folder is not a git repository/);
  });
});
