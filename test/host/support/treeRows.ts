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
