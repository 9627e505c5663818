import { onPage } from './page.ts';

/** What a quick input shows: its title with the step, the text in its box, its rows, and the one that Enter takes. */
export interface ShownStep {
  readonly title: string;
  readonly value: string;
  readonly rows: readonly string[];
  readonly active: string;
}

/** The quick input that is open; null when none is. */
export async function shownStep(): Promise<ShownStep | null> {
  return onPage(async ({ page }) => {
    const widget = page.locator('.quick-input-widget');
    if (!(await widget.isVisible())) return null;
    const labels = (selector: string): Promise<string[]> =>
      widget
        .locator(selector)
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
    const box = widget.locator('.quick-input-filter input[type=text], .quick-input-filter input');
    return {
      title: (await widget.locator('.quick-input-titlebar').innerText()).replaceAll(/\s+/g, ' '),
      value: await box.first().inputValue(),
      rows: await labels('.monaco-list-row'),
      active: (await labels('.monaco-list-row.focused'))[0] ?? '',
    };
  });
}

/** Types into the box that has the focus, as a person does. */
export async function type(text: string): Promise<void> {
  await onPage(({ page }, input) => page.keyboard.type(input), text);
}
