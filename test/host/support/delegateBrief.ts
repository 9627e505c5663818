import type { Driver } from './driver.ts';

const STEPS = 3;
const MAX_ROWS = 20;

/** Delegates a brief of several lines as a person does: from the clipboard, the rest as the steps propose it. */
export async function delegateBrief({ page, runCommand }: Driver, brief: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(brief)})`);
  await runCommand('Delegate: Delegate a Task');
  const isAt = (step: number): Promise<void> =>
    page.getByText(`Delegate a Task (${step}/${STEPS})`).waitFor();
  await isAt(1);
  // By keyboard: the rows move when more becomes known, and a click would hit another one.
  const active = page.locator('.quick-input-list .monaco-list-row.focused');
  for (let row = 0; row < MAX_ROWS; row += 1) {
    await active.waitFor();
    if ((await active.innerText()).includes('The brief from the clipboard')) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /Added/ }).waitFor();
  await active.filter({ hasText: 'Next' }).waitFor();
  await page.keyboard.press('Enter');
  for (let step = 2; step <= STEPS; step += 1) {
    await isAt(step);
    await active.waitFor();
    await page.keyboard.press('Enter');
  }
}
