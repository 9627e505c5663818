import { after, describe } from 'mocha';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage, shot } from './support/page.ts';
import { rowThat, sidebarWidth, welcomeOf } from './support/treeRows.ts';

describe('the sidebar of somebody who has just installed this', () => {
  const world = hostWorld();
  after(() => world.dispose());
  const says = (view: string, text: string) =>
    eventually(async () => (await welcomeOf(view)).includes(text), `${view} says ${text}`);

  itOnPage('leads to a model server, with one button and links', async () => {
    await vscode.commands.executeCommand('workbench.view.extension.delegationBridge');
    await says('Jobs', 'Find Model Servers');
    await says('Endpoints', 'Find Model Servers');
    assert.match(await welcomeOf('Jobs'), /No model server is known yet/);
    assert.match(await welcomeOf('Endpoints'), /rehearsal server/);
    await sidebarWidth(400);
    await shot('welcome', '.part.sidebar');
  });

  itOnPage('leads to a first job once there is a server', async () => {
    writeFileSync(world.modelsFile, `endpoints:\n  tower: { base_url: ${world.rehearsalUrl} }\n`);
    await vscode.commands.executeCommand(COMMANDS.refresh);
    await rowThat('Endpoints', /^tower, up/);
    await says('Jobs', 'Delegate a Task');
    await shot('welcome-no-jobs', '.part.sidebar');
  });
});
