import { before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { serverProcesses } from './serverProcesses.ts';
import { scratchOfWindow } from './support/hostWorld.ts';
import { languageServers as languageServersOf } from './support/modelsEditor.ts';
import type { TracedExtension } from './support/traced/tracedExtension.ts';

describe('what the extension does to its host', () => {
  let traced: TracedExtension;
  const languageServers = (): number[] => languageServersOf(scratchOfWindow());

  before(async () => {
    const extension = vscode.extensions.getExtension('delegation-bridge.delegation-bridge');
    traced = (await extension?.activate()) as TracedExtension;
  });

  it('loads nothing but its own first bundle to activate', () => {
    assert.deepEqual(traced.loadedByActivation, ['extension.cjs']);
  });

  it('loads the MCP client with its first server', async () => {
    await vscode.commands.executeCommand(COMMANDS.showServerVersion);
    assert.deepEqual(traced.loaded(), ['extension.cjs', 'mcpClient.cjs']);
  });

  it('loads the language client, and starts a language server, with the first models.yaml', async () => {
    await vscode.commands.executeCommand(COMMANDS.openConfig);
    await eventually(() => languageServers().length === 1, 'one language server');
    assert.deepEqual(traced.loaded(), ['extension.cjs', 'languageClient.cjs', 'mcpClient.cjs']);
  });

  // Last: nothing works after it.
  it('leaves no handle and no process when it is deactivated', async () => {
    assert.ok(
      traced.handles().length > 0,
      'a living extension has some: its server, to begin with',
    );
    await traced.deactivate();
    assert.deepEqual([...serverProcesses(), ...languageServers()], []);
    await eventually(
      () => traced.handles().length === 0,
      () => `no handle is left of\n${traced.handles().join('\n\n')}`,
    );
  });
});
