import type { Driver } from './driver.ts';

const STEPS = 3;

/** Delegates a brief of several lines as a person does: from the clipboard, the rest as the steps propose it. */
export async function delegateBrief({ page, runCommand }: Driver, brief: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(brief)})`);
  await runCommand('Delegate: Delegate a Task');
  for (let step = 1; step <= STEPS; step += 1) {
    await page.getByText(`Delegate a Task (${step}/${STEPS})`).waitFor();
    if (step === 1)
      await page.getByRole('option', { name: /The brief from the clipboard/ }).click();
    await page.keyboard.press('Enter');
  }
}
