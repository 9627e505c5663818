import { errors, type Page } from 'playwright-core';
import type { Driver } from './driver.ts';

const STEPS = 3;
const MAX_ROWS = 20;
const MAX_PRESSES = 6;
const HEARD_MS = 5_000;

/** Delegates a brief of several lines as a person does: from the clipboard, the rest as the steps propose it. */
export async function delegateBrief({ page, runCommand }: Driver, brief: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(brief)})`);
  await runCommand('Delegate: Delegate a Task');
  const title = (step: number) => page.getByText(`Delegate a Task (${step}/${STEPS})`);
  await title(1).waitFor();
  // By keyboard: the rows move when more becomes known, and a click would hit another one.
  const active = page.locator('.quick-input-list .monaco-list-row.focused');
  for (let row = 0; row < MAX_ROWS; row += 1) {
    await active.waitFor();
    if ((await active.innerText()).includes('The brief from the clipboard')) break;
    await page.keyboard.press('ArrowDown');
  }
  const added = page.getByRole('option', { name: /Added/ });
  await enterUntil(page, () => added.waitFor({ timeout: HEARD_MS }));
  await active.filter({ hasText: 'Next' }).waitFor();
  for (let step = 1; step <= STEPS; step += 1) {
    await title(step).waitFor();
    await active.waitFor();
    await enterUntil(page, () => title(step).waitFor({ state: 'hidden', timeout: HEARD_MS }));
  }
}

/** A key that comes while the rows are being replaced is not heard; a person presses it again. */
async function enterUntil(page: Page, hasHeard: () => Promise<void>): Promise<void> {
  for (let press = 1; ; press += 1) {
    await page.keyboard.press('Enter');
    try {
      await hasHeard();
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || press === MAX_PRESSES) throw error;
    }
  }
}
