import { after } from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { describeWithClaude, hostWorld } from './support/hostWorld.ts';
import { itOnPage, onPage, shot } from './support/page.ts';

const LIMIT_MS = 150_000;
const SETTLE_MS = 1_000;
const PRESS_AGAIN_MS = 20_000;

describeWithClaude('the walkthrough, by keyboard', function () {
  this.timeout(LIMIT_MS);
  const world = hostWorld();
  after(() => world.dispose());

  itOnPage('opens with five steps, none of them done', async () => {
    await onPage(({ runCommand }) => runCommand('View: Toggle Primary Side Bar Visibility'));
    await openPage();
    assert.deepEqual(await steps(), [
      'endpoint: open',
      'job: open',
      'review: open',
      'accept: open',
      'claudeCode: open',
    ]);
  });

  itOnPage('1: the rehearsal server is found once it runs', async () => {
    await follow('endpoint', 'Find a model server', 'Start the rehearsal server');
  });

  itOnPage('2: a first job runs, in this repository, and is shown before it starts', async () => {
    const [shown = ''] = await follow('job', 'Run a first job', 'Run a First Job');
    assert.match(shown, /Start: Fix the off-by-one in range\(\)/);
    assert.match(shown, /rehearsal · in a worktree/);
    assert.match(shown, /Do not change the test/);
    assert.equal(world.repo.git('status', '--porcelain'), '', 'the checkout is as it was');
  });

  itOnPage('3: it is reviewed', async () => {
    // The only job: nothing is asked.
    assert.deepEqual(await follow('review', 'Review what it did', 'Review Changes'), []);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.ok(tabs.some(({ label }) => label.includes('off-by-one')));
  });

  itOnPage('4: it is accepted', async () => {
    const asked = await follow('accept', 'Accept it', 'Accept All Changes');
    assert.match(asked[0] ?? '', /Fix the off-by-one in range\(\)/);
    assert.match(asked.at(-1) ?? '', /Accept all the same/, 'no gate has judged it');
    assert.match(world.repo.git('status', '--porcelain'), /range\.js/);
  });

  itOnPage('5: Claude Code is set up, in the home folder of this run', async () => {
    await follow('claudeCode', 'Set up Claude Code', 'Set Up Claude Code');
  });

  itOnPage('has all five steps checked, and is a picture one can show', async () => {
    await openPage();
    assert.deepEqual(
      (await steps()).filter((step) => !step.endsWith(': done')),
      [],
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

/** Brings the page with the five steps to the front, whatever else is there. */
async function openPage(): Promise<void> {
  await eventually(async () => {
    if ((await steps())[0]?.startsWith('endpoint:') === true) return true;
    await vscode.commands.executeCommand(COMMANDS.openWalkthrough);
    return false;
  }, 'the steps are shown');
}

/**
 * Goes to a step and presses its link by the Enter key, takes the first answer of each question that comes, until the step is done.
 * The page takes the focus back a moment after it has changed, and a list without the focus closes: then the link is pressed again.
 * @returns the texts of the questions
 */
async function follow(id: string, step: string, link: string): Promise<string[]> {
  const asked: string[] = [];
  let pressAtMs = 0;
  await eventually(
    async () => {
      const text = await answer();
      if (text !== null) {
        asked.push(text);
        return false;
      }
      if (!(await steps()).some((shown) => shown.startsWith(`${id}:`))) await openPage();
      if ((await steps()).includes(`${id}: done`)) return true;
      if (Date.now() >= pressAtMs) {
        await pressLink(step, link);
        pressAtMs = Date.now() + PRESS_AGAIN_MS;
      }
      return false;
    },
    () => `the step ${id} is done; asked were ${JSON.stringify(asked)}`,
  );
  return asked;
}

/** What is asked now, answered by its first row; null: nothing is asked. */
async function answer(): Promise<string | null> {
  return onPage(async ({ page }) => {
    const widget = page.locator('.quick-input-widget');
    if (!(await widget.isVisible())) return null;
    const text = await widget.innerText();
    const input = widget.locator('.quick-input-filter input[type=text]');
    const isPressed = await input.press('Enter', { timeout: 3_000 }).then(
      () => true,
      () => false, // it has closed meanwhile
    );
    await page.waitForTimeout(300);
    return isPressed ? text : null;
  });
}

/** The steps have to be shown. */
async function pressLink(step: string, link: string): Promise<void> {
  await onPage(
    async ({ page }, input) => {
      const box = page.locator('.getting-started-step').filter({ hasText: input.step }).first();
      const target = box.locator('a, .monaco-button').filter({ hasText: input.link }).first();
      // Enter on a step that is open would close it.
      if (!(await target.isVisible())) await box.press('Enter');
      await page.waitForTimeout(input.settleMs);
      await target.press('Enter');
    },
    { step, link, settleMs: SETTLE_MS },
  );
}
