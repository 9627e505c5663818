import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentFindingText } from '../../src/protocol/agentFindingText.ts';
import { COMMANDS } from '../../src/contributions.ts';
import { hostWorld } from './support/hostWorld.ts';
import { change, noProblem, problem, problemsOf } from './support/modelsEditor.ts';
import { itOnPage, onPage } from './support/page.ts';

describe('agent definitions in the editor', function () {
  this.timeout(60_000);
  const world = hostWorld();
  const uri = vscode.Uri.file(join(world.repo.root, '.claude/agents/coder.md'));
  after(() => world.dispose());

  before(async () => {
    await vscode.extensions.getExtension('delegation-bridge.delegation-bridge')?.activate();
    await vscode.commands.executeCommand(COMMANDS.showServerVersion);
  });

  it('are checked without being opened, in the words of "delegate agents"', async () => {
    await problem(uri, /there is no tool "Gerp"/);
    const { agents } = await world.bridge.listAgents({ cwd: world.repo.root });
    const coder = agents.find(({ name }) => name === 'coder');
    assert.deepEqual(problemsOf(uri), coder?.findings.map(agentFindingText));
    const skill = vscode.Uri.file(join(world.repo.root, '.claude/skills/tidy/SKILL.md'));
    assert.deepEqual(problemsOf(skill), []);
  });

  it('are checked as they are typed, before they are saved', async () => {
    await vscode.window.showTextDocument(uri);
    await change(uri, 'tools: Read, Gerp', 'tools: Read, mcp__x__y');
    await problem(uri, /tool of an MCP server/);
    await noProblem(uri, /Gerp/);
    await vscode.commands.executeCommand('undo');
    await problem(uri, /Gerp/);
  });

  it('say over the front matter what a job of them would really get', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      ...[uri, new vscode.Position(3, 2)],
    );
    const shown = hovers
      .flatMap(({ contents }) => contents)
      .map((each) => (typeof each === 'string' ? each : each.value))
      .join('\n')
      .replaceAll('\\', '');
    assert.match(shown, /\*\*coder\*\* · agent of this project/);
    assert.match(shown, /Model: rehearsal \(defaults\.model\)/);
    assert.match(shown, /"model:" of this file has no effect in a job: opus/);
    assert.match(shown, /Tools of a job that may write: .*read_file/);
    const below = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      ...[uri, new vscode.Position(6, 2)],
    );
    assert.deepEqual(below, []);
  });

  itOnPage('have a quick fix for a misspelt tool, by keyboard', async () => {
    const editor = await vscode.window.showTextDocument(uri);
    const { range } = await problem(uri, /Gerp/);
    editor.selection = new vscode.Selection(range.start, range.start);
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await onPage(({ press }) => press('Control+.'));
    const row = 'Change to "Grep"';
    await onPage(
      ({ page }, title) =>
        page.locator('.action-widget .monaco-list-row', { hasText: title }).first().waitFor(),
      row,
    );
    await onPage(({ press }) => press('Enter'));
    await noProblem(uri, /Gerp/);
    assert.match(editor.document.getText(), /^tools: Read, Grep$/m);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
