import { after, it } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SAMPLE_FIX } from './support/hostSample.ts';
import { describeWithClaude, hostWorld, rehearsalTask } from './support/hostWorld.ts';
import { itOnPage, onPage } from './support/page.ts';

describeWithClaude('the world around a window', () => {
  const world = hostWorld();
  after(() => world.dispose());

  it('opens the repository of the suite', () => {
    assert.equal(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, world.repo.root);
    assert.equal(world.repo.git('status', '--porcelain'), '');
  });

  it('runs a job that another session submits, up to its gate', async () => {
    const task = rehearsalTask('Fix the off-by-one in range()', ...SAMPLE_FIX);
    const { id } = await world.submitJob({ task, gate: 'tests' });
    const job = await world.waitForJob(id);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.gate?.status, 'passed', job.gate?.tail);
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['src/range.js'],
    );
  });

  it('has room for many ended jobs, and none that lives without a host', () => {
    assert.equal(world.seedJobs(500).length, 500);
    assert.equal(world.bridge.list({ limit: 600 }).length, 501);
    assert.throws(() => world.seedJobs(1, () => ({ status: 'running' })), /has to be a real one/);
  });

  itOnPage('lets a person act on the page', async () => {
    await onPage(({ runCommand }) => runCommand('Preferences: Open User Settings'));
    const tab = await onPage(
      ({ page }, name) => page.getByRole('tab', { name }).first().innerText(),
      'Settings',
    );
    assert.equal(tab.trim(), 'Settings');
    await onPage(({ press }) => press('Control+Shift+E'));
    await assert.rejects(
      onPage(() => {
        throw new Error('said on the other side');
      }),
      /on the page: Error: said on the other side/,
    );
  });
});
