import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { serverProcesses } from './serverProcesses.ts';

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
});
