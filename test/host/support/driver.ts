import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';

export interface AxeFinding {
  readonly rule: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

export type Driver = ReturnType<typeof createDriver>;

/** A picture of less is an empty page. */
const SMALLEST_PNG_BYTES = 5_000;
const ACTION_LIMIT_MS = 60_000;

/**
 * A person at the page of VS Code. It lives outside of VS Code, in the process that opened the window; a suite reaches it with
 * `onPage`. Everything waits for what it acts on.
 */
export function createDriver(page: Page, shotsDir: string) {
  page.setDefaultTimeout(ACTION_LIMIT_MS);

  /** The page of the webview that is shown; `title` where more than one is open. */
  const webview = (title?: string): FrameLocator =>
    page
      .frameLocator('iframe.webview.ready')
      .frameLocator(title === undefined ? 'iframe#active-frame' : `iframe[title="${title}"]`);

  return {
    page,
    webview,

    /** Types a command's title, as the palette shows it, and runs the first one found. */
    runCommand: async (title: string): Promise<void> => {
      const box = page.locator('.quick-input-widget input');
      // A window that has only just opened does not hear its first keys.
      const deadlineMs = Date.now() + ACTION_LIMIT_MS;
      do {
        await page.keyboard.press('F1');
        for (let look = 0; look < 100 && !(await box.isVisible()); look += 1) await delay(20);
      } while (!(await box.isVisible()) && Date.now() < deadlineMs);
      await box.fill(`>${title}`);
      const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title });
      await row.first().waitFor();
      await page.keyboard.press('Enter');
      // A command may ask next: then the box stays, with another text. One that reloads the window takes it away with the page.
      while ((await textOf(box)) === `>${title}`) await delay(20);
    },

    /** Opens a view container by its title in the activity bar; does nothing when it is open. */
    openView: async (title: string): Promise<void> => {
      const tab = page.locator('.activitybar').getByRole('tab', { name: title }).first();
      await tab.waitFor();
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    },

    /** A key or a chord as Playwright spells it: `Enter`, `Control+Shift+P`; several are pressed one after the other. */
    press: async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    },

    /**
     * A picture of the window, or of the part that `selector` names. With `npm run screenshots` it goes to docs/screenshots/NAME.png;
     * in every other run it is only looked at for not being empty.
     */
    shot: async (name: string, selector?: string): Promise<void> => {
      assert.match(name, /^[a-z0-9-]+$/);
      await page.mouse.move(640, 798); // nothing hovered
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      const options = { animations: 'disabled', caret: 'hide' } as const;
      const png = await (selector === undefined
        ? page.screenshot(options)
        : page.locator(selector).first().screenshot(options));
      mkdirSync(shotsDir, { recursive: true });
      const file = join(shotsDir, `${name}.png`);
      writeFileSync(file, png);
      assert.ok(statSync(file).size > SMALLEST_PNG_BYTES, `${name}.png is a picture of nothing`);
    },

    /** What axe-core finds, in the page of the shown webview with `isWebview`; a serious or critical finding is one to mend. */
    axe: async (options: { readonly isWebview?: boolean } = {}): Promise<AxeFinding[]> => {
      const builder = new AxeBuilder({ page });
      if (options.isWebview === true)
        builder.include(['iframe.webview.ready', 'iframe#active-frame', 'body']);
      const { violations } = await builder.analyze();
      return violations.map(({ id, impact, help, nodes }) => ({
        rule: id,
        impact: impact ?? 'unknown',
        help,
        nodes: nodes.map((node) => node.html),
      }));
    },
  };
}

/** What stands in a box; null when it is not shown, or goes while it is looked at. */
async function textOf(box: Locator): Promise<string | null> {
  if (!(await box.isVisible())) return null;
  return box.inputValue({ timeout: 1000 }).catch((error: unknown) => {
    if (error instanceof errors.TimeoutError) return null;
    throw error;
  });
}
