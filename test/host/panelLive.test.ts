import { after, before } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { describeWithClaude, hostWorld, rehearsalTask } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';
import {
  closeAllEditors,
  jobInFront,
  OPEN_JOB,
  panelShows,
  panelText,
} from './support/panelPage.ts';

const world = hostWorld();
after(() => world.dispose());

describeWithClaude('the panel of a running job', function () {
  this.timeout(180_000);
  after(closeAllEditors);
  let id = '';

  itOnPage('shows what happens while it happens', async () => {
    const steps = Array.from({ length: 6 }, (_, n) => `run: echo step ${n} && sleep 0.4`);
    const task = rehearsalTask(
      'Walk through the ranges',
      'read src/range.js',
      'edit src/range.js: number < end => number < end - 0',
      ...steps,
      'hang 120s',
    );
    ({ id } = await world.submitJob({ task }));
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await panelShows('.state-words', 'Running', 'that it runs');
    await panelShows('.feed', 'echo step 5', 'the last step, without a reload');
    const cards = await panelText('.right');
    assert.match(cards, /Receipt/);
    await panelShows('.right', /Context used per request/, 'the chart');
    await shot('job-panel-running');
  });

  itOnPage('cancels it by its button', async () => {
    await onPage(({ webview }) => webview().locator('[data-action=cancelJob]').click());
    const job = await world.waitForJob(id);
    assert.equal(job.status, 'cancelled');
    await panelShows('.state-words', 'Cancelled', 'that it was cancelled');
    await panelShows('[role=status]', 'Cancelled', 'that a screen reader is told');
  });

  itOnPage('goes on with a message, in a panel of its own', async () => {
    await onPage(
      async ({ webview, page }, message) => {
        await webview().locator('#resume-message textarea').click();
        await page.keyboard.type(message);
        await webview().locator('[data-action=resumeJob]').click();
      },
      rehearsalTask(
        'Now mend the loop',
        'edit src/range.js: number < end - 0 => number <= end',
        'say: Mended.',
      ),
    );
    await panelShows('h1', 'Now mend the loop', 'the panel of the next job');
    await panelShows('.from', id, 'where it comes from');
    const next = await jobInFront();
    const job = await world.waitForJob(next);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.resumedFrom, id);
    await panelShows('.changes', 'src/range.js', 'what it has changed');
  });

  itOnPage('is retried on an endpoint that the person chooses', async () => {
    const before = await jobInFront();
    await onPage(async ({ webview, page }) => {
      await webview().locator('[data-action=retryJob]').click();
      // Before the endpoints have answered the list says only where the job ran.
      const focused = page.locator('.quick-input-widget .monaco-list-row.focused');
      await focused.filter({ hasText: 'As it was asked for then' }).waitFor();
      await page.locator('.quick-input-widget input:focus').waitFor(); // the page of the job has let it go
      await page.keyboard.press('Enter');
    });
    await eventually(async () => (await jobInFront()) !== before, 'the panel of the new job');
    const job = await world.waitForJob(await jobInFront());
    assert.match(job.task, /^Now mend the loop/);
  });
});

describeWithClaude('the panel of a job whose gate is red', function () {
  this.timeout(180_000);
  const settings = vscode.workspace.getConfiguration('workbench');
  let id = '';

  before(async () => {
    await settings.update('colorTheme', 'Default Dark Modern', vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    await closeAllEditors();
    await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
  });

  itOnPage('says first what failed, and offers the review', async () => {
    const task = rehearsalTask(
      'Fix the off-by-one in range()',
      'read src/range.js',
      'run: node --test',
      'edit src/range.js: number < end => number < end - 0',
      'thinking: Subtracting nothing cannot help, but the loop looks right to me.',
      'say: I changed the bound of the loop in src/range.js. The test should pass now.',
    );
    ({ id } = await world.submitJob({ task, gate: 'tests' }));
    const job = await world.waitForJob(id);
    assert.equal(job.gate?.status, 'failed', JSON.stringify(job.failure));
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await panelShows('.state-words', 'Gate failed, for review', 'the verdict');
    await panelShows('.failing', 'AssertionError', 'the line that tells what failed');
    await panelShows('.feed', 'Gate tests failed (exit 1', 'the gate in the timeline');
    const buttons = await onPage(({ webview }) =>
      webview()
        .locator('.buttons [data-action]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-action'))),
    );
    assert.deepEqual(buttons.slice(0, 3), ['reviewJob', 'acceptJob', 'rejectJob']);
    const findings = await onPage(({ axe }) => axe({ isWebview: true }));
    assert.deepEqual(
      findings.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
      [],
    );
    await shot('job-panel-failed-gate');
  });

  itOnPage('opens the diff of a file, and all of the output of the gate', async () => {
    await onPage(({ webview }) => webview().locator('.file').first().click());
    await eventually(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff,
      'the diff is in front',
    );
    await vscode.commands.executeCommand(OPEN_JOB, id);
    await onPage(({ webview }) => webview().locator('.gate button.link').click());
    await eventually(
      () => vscode.window.activeTextEditor?.document.getText().includes('AssertionError') === true,
      'the output is in an editor',
    );
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, false);
  });
});
