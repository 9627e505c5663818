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

/** Accessible name of the row that has the focus of the keyboard; empty when none has. */
export async function focusedRow(): Promise<string> {
  return onPage(({ page }) =>
    page
      .locator('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused')
      .evaluateAll(([row]) => row?.getAttribute('aria-label') ?? ''),
  );
}

/** Presses a key until the row with the focus fits. */
export async function pressUntil(key: string, fits: RegExp, most = 40): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < most; n++) {
    const row = await focusedRow();
    if (fits.test(row)) return;
    seen.push(row);
    await onPage(({ press }, each) => press(each), key);
  }
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
