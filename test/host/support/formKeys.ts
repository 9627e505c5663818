import { onPage } from './page.ts';

/** The few things of the page's document that functions running there use. */
interface Focused {
  readonly id: string;
  matches(selector: string): boolean;
  getAttribute(name: string): string | null;
  readonly textContent: string;
}

/** What has the focus in the form: its id as a path, else its name. */
export async function focusedInForm(): Promise<string> {
  return onPage(({ webview }) =>
    webview()
      .locator('body')
      .evaluate((body) => {
        const focused = body.ownerDocument.activeElement as unknown as Focused | null;
        if (focused === null) return '';
        if (focused.id.startsWith('key:')) return decodeURIComponent(focused.id.slice(4));
        return focused.getAttribute('aria-label') ?? focused.textContent;
      }),
  );
}

/** Presses Tab (or another key) until what matches the selector has the focus, as somebody without a mouse does. */
export async function tabTo(selector: string, key = 'Tab'): Promise<void> {
  const isThere = await onPage(
    async ({ webview, page }, input) => {
      const body = webview().locator('body');
      for (let n = 0; n < 120; n += 1) {
        const isFocused = await body.evaluate(
          (each, wanted) =>
            (each.ownerDocument.activeElement as unknown as Focused | null)?.matches(wanted) ===
            true,
          input.selector,
        );
        if (isFocused) return true;
        await page.keyboard.press(input.key);
      }
      return false;
    },
    { selector, key },
  );
  if (!isThere) throw new Error(`${selector} was never reached with ${key}.`);
}

/** Presses keys, one after the other. */
export async function press(...keys: string[]): Promise<void> {
  await onPage((driver, input) => driver.press(...input), keys);
}

/** Types a text where the focus is. */
export async function typeText(text: string): Promise<void> {
  await onPage(({ page }, input) => page.keyboard.type(input), text);
}
