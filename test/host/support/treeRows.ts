import { eventually } from '../eventually.ts';
import { onPage } from './page.ts';

/** Accessible names of the rows of a view in the sidebar, from top to bottom, as far as they are on the screen. */
export async function rowsOf(view: string): Promise<string[]> {
  return onPage(async ({ page }, name) => {
    const pane = page.locator('.part.sidebar .pane', {
      has: page.locator('.pane-header', { hasText: name }),
    });
    return pane.locator('[role=treeitem]').evaluateAll((rows) =>
      rows
        .map((row) => ({
          top: row.getBoundingClientRect().top,
          name: row.getAttribute('aria-label') ?? '',
        }))
        .sort((a, b) => a.top - b.top)
        .map((row) => row.name),
    );
  }, view);
}

/** Waits for a row whose accessible name fits, and gives the name. */
export async function rowThat(view: string, fits: RegExp): Promise<string> {
  let rows: string[] = [];
  let found: string | undefined;
  await eventually(
    async () => {
      rows = await rowsOf(view);
      found = rows.find((row) => fits.test(row));
      return found !== undefined;
    },
    () => `a row ${String(fits)} in ${view}; there are ${JSON.stringify(rows, null, 1)}`,
  );
  return found ?? '';
}

/** Presses a key until the row with the focus of the keyboard fits. */
export async function pressUntil(key: string, fits: RegExp, most = 40): Promise<void> {
  const input = { key, pattern: fits.source, most };
  const seen = await onPage(async ({ page }, { key: each, pattern, most: limit }) => {
    const row = page.locator('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused');
    const passed: string[] = [];
    for (let n = 0; n < limit; n++) {
      const [name = ''] = await row.evaluateAll((all) =>
        all.map((one) => one.getAttribute('aria-label') ?? ''),
      );
      if (new RegExp(pattern).test(name)) return null;
      passed.push(name);
      await page.keyboard.press(each);
    }
    return passed;
  }, input);
  if (seen !== null)
    throw new Error(`${key} leads to no row ${String(fits)}, but over ${JSON.stringify(seen)}`);
}

/** What the sidebar says where a view has no rows: the texts and buttons of its welcome. */
export async function welcomeOf(view: string): Promise<string> {
  return onPage(async ({ page }, name) => {
    const pane = page.locator('.part.sidebar .pane', {
      has: page.locator('.pane-header', { hasText: name }),
    });
    const texts = await pane.locator('.welcome-view-content').allInnerTexts();
    return texts.join('\n').trim();
  }, view);
}

/** Drags the edge of the sidebar until it is so wide. */
export async function sidebarWidth(width: number): Promise<void> {
  await onPage(async ({ page }, wanted) => {
    const box = await page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('The sidebar is not open.');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + wanted, y, { steps: 8 });
    await page.mouse.up();
  }, width);
}
