import { after, describe } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { formShows, openForm, unfold, writeKey } from './support/formPage.ts';
import { hostWorld } from './support/hostWorld.ts';
import { itOnPage } from './support/page.ts';

const world = hostWorld();
after(() => world.dispose());

describe('the form of models.yaml in Restricted Mode', function () {
  this.timeout(120_000);

  itOnPage('shows and changes the text, and asks no endpoint', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const document = await openForm(world.modelsFile);
    await formShows('[data-path="endpoints.mine"]', /unknown|not asked/);
    await unfold('endpoints.mine');
    await writeKey('endpoints.mine.host', 'there');
    await eventually(
      () => document.getText().includes('host: there'),
      () => document.getText(),
    );
    await vscode.commands.executeCommand('undo');
    await eventually(
      () => document.getText().includes('host: here'),
      () => document.getText(),
    );
    await formShows('.live-line', /Restricted Mode/);
    assert.equal(readFileSync(join(world.repo.scratch, 'asked.log'), 'utf8'), '');
  });
});
