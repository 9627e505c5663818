import { after } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { describeWithClaude, hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';

const LIMIT_MS = 150_000;
const SETTLE_MS = 1_000;

describeWithClaude('the walkthrough, by keyboard', function () {
  this.timeout(LIMIT_MS);
  const world = hostWorld();
  after(() => world.dispose());

  itOnPage('opens with five steps, none of them done', async () => {
    await onPage(({ runCommand }) => runCommand('View: Toggle Primary Side Bar Visibility'));
    await onPage(({ runCommand }) => runCommand('Delegate: Get Started'));
    // A new window may show VS Code's own walkthrough until then.
    await eventually(async () => (await steps())[0]?.startsWith('endpoint') === true, 'its steps');
    assert.deepEqual(await steps(), [
      'endpoint: open',
      'job: open',
      'review: open',
      'accept: open',
      'claudeCode: open',
    ]);
  });

  itOnPage('1: the rehearsal server is found once it runs', async () => {
    await pressLink('Find a model server', 'Start the rehearsal server');
    await isDone('endpoint');
  });

  itOnPage('2: a first job runs, in this repository, and is shown before it starts', async () => {
    await pressLink('Run a first job', 'Run a First Job');
    const shown = await answer('Start: Fix the off-by-one in range()');
    assert.match(shown, /rehearsal · in a worktree/);
    assert.match(shown, /Do not change the test/);
    await isDone('job');
    assert.equal(world.repo.git('status', '--porcelain'), '', 'the checkout is as it was');
  });

  itOnPage('3: it is reviewed', async () => {
    await pressLink('Review what it did', 'Review Changes'); // the only job: nothing is asked
    await eventually(
      () =>
        vscode.window.tabGroups.all.some(({ tabs }) =>
          tabs.some(({ label }) => label.includes('off-by-one')),
        ),
      'the changes are open',
    );
    await isDone('review');
  });

  itOnPage('4: it is accepted', async () => {
    await pressLink('Accept it', 'Accept All Changes');
    await answer('Fix the off-by-one in range()');
    await answer('Accept all the same'); // no gate has judged it
    await eventually(
      () => world.repo.git('status', '--porcelain').includes('range.js'),
      'the change is in the checkout',
    );
    await isDone('accept');
  });

  itOnPage('5: Claude Code is set up, in the home folder of this run', async () => {
    // By the command itself: the link of this step runs nothing else (package.json), and its key went astray in the test.
    void vscode.commands.executeCommand(COMMANDS.setUpClaudeCode);
    await answer('', 'What to set up');
    await answer('', 'Nothing has been written yet');
    await isDone('claudeCode');
  });

  itOnPage('has all five steps checked, and is a picture one can show', async () => {
    await onPage(({ runCommand }) => runCommand('Delegate: Get Started'));
    await eventually(
      async () => (await steps()).every((step) => step.endsWith(': done')),
      'five steps that are done',
    );
    await onPage(({ page }) =>
      page
        .getByRole('button', { name: /Find a model server/ })
        .first()
        .click(),
    );
    await shot('walkthrough');
  });

  itOnPage(
    'knows again that nothing is registered once the rehearsal server is stopped',
    async () => {
      await vscode.commands.executeCommand(COMMANDS.stopRehearsal);
      const { endpoints } = await world.bridge.configFacts(world.repo.root);
      assert.deepEqual(
        endpoints.filter(({ source }) => source !== 'default'),
        [],
      );
    },
  );
});

/** `id: done` or `id: open` of each step that is shown. */
function steps(): Promise<string[]> {
  return onPage(({ page }) =>
    page.locator('.getting-started-step').evaluateAll((elements) =>
      (elements as unknown as StepElement[]).map((element) => {
        const id = element.dataset.stepId.replace(/^.*#/, '');
        const isChecked = element.querySelector('.codicon-getting-started-step-checked') !== null;
        return `${id}: ${isChecked ? 'done' : 'open'}`;
      }),
    ),
  );
}

interface StepElement {
  readonly dataset: { readonly stepId: string };
  querySelector(selector: string): unknown;
}

async function isDone(id: string): Promise<void> {
  await eventually(async () => {
    const shown = await steps();
    // Another page may be in front, VS Code's own walkthrough for one.
    if (!shown.some((step) => step.startsWith(`${id}:`)))
      await onPage(({ runCommand }) => runCommand('Delegate: Get Started'));
    return shown.includes(`${id}: done`);
  }, `the step ${id} is done`);
}

/** Waits for a question with this row, or with this text in its box, says what it shows, and takes the first row. */
async function answer(row: string, placeholder = ''): Promise<string> {
  return onPage(
    async ({ page }, input) => {
      const widget = page.locator('.quick-input-widget');
      if (input.row !== '') await widget.getByText(input.row).first().waitFor();
      else await widget.locator(`input[placeholder*="${input.placeholder}"]`).waitFor();
      const text = await widget.innerText();
      // The walkthrough draws itself anew after a link and may take the focus back from the list.
      await widget.locator('.quick-input-filter input').press('Enter');
      return text;
    },
    { row, placeholder },
  );
}

/** Opens the walkthrough, goes to a step and presses one of its links by the Enter key. */
async function pressLink(step: string, link: string): Promise<void> {
  await onPage(({ runCommand }) => runCommand('Delegate: Get Started'));
  await onPage(
    async ({ page }, input) => {
      const box = page.locator('.getting-started-step').filter({ hasText: input.step }).first();
      const target = box.locator('a, .monaco-button').filter({ hasText: input.link }).first();
      await box.waitFor();
      // Enter on a step that is open would close it.
      if (!(await target.isVisible())) await box.press('Enter');
      // A step takes the focus once more a moment after it has opened, and a list without the focus closes.
      await page.waitForTimeout(input.settleMs);
      await target.press('Enter');
    },
    { step, link, settleMs: SETTLE_MS },
  );
}
