import { onPage } from './page.ts';

/** Clicks a button in the title of the editor in front, by its command's title. */
export async function clickTitle(name: string): Promise<void> {
  await onPage(
    ({ page }, label) =>
      page
        .locator('.editor-group-container.active .editor-actions a.action-label')
        .and(page.locator(`[aria-label^="${label}"]`))
        .first()
        .click(),
    name,
  );
}

/** Buttons of the editor in front that are ours, by their labels. */
export async function titleButtons(): Promise<string[]> {
  return onPage(({ page }) =>
    page
      .locator('.editor-group-container.active .editor-actions a.action-label')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? '')),
  );
}

/** Chooses the row of a quick pick that has this text, by typing it. */
export async function pick(text: string): Promise<void> {
  await onPage(async ({ page }, label) => {
    const widget = page.locator('.quick-input-widget');
    await widget.locator('.monaco-list-row').filter({ hasText: label }).first().waitFor();
    await widget.locator('.quick-input-filter input').fill(label);
    await widget
      .locator('.monaco-list-row.focused[data-index="0"]')
      .filter({ hasText: label })
      .waitFor();
    await page.keyboard.press('Enter');
  }, text);
}

/** Waits until the merge editor has taken the markers out of the result and says what is left. */
export async function mergeIsReady(): Promise<void> {
  await onPage(({ page }) =>
    page
      .locator('.merge-editor')
      .getByText(/Conflicts? Remaining/)
      .first()
      .waitFor(),
  );
}

/** Title and rows of the quick pick that is open. */
export async function quickPick(): Promise<{ title: string; rows: string[] }> {
  return onPage(async ({ page }) => {
    const widget = page.locator('.quick-input-widget');
    await widget.locator('.monaco-list-row').first().waitFor();
    return {
      title: await widget.locator('.quick-input-title').innerText(),
      rows: await widget
        .locator('.monaco-list-row')
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? '')),
    };
  });
}

/** The text of the status bar. */
export async function statusBar(): Promise<string> {
  return onPage(({ page }) => page.locator('.statusbar').innerText());
}

export async function press(...keys: string[]): Promise<void> {
  await onPage((driver, input) => driver.press(...input), keys);
}
