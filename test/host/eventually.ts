import assert from 'node:assert/strict';

const LIMIT_MS = 90_000;

/** Polls until the condition holds; fails after 90 s, or the time given, with what was waited for. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  limitMs = LIMIT_MS,
): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs)
      assert.fail(`within ${limitMs / 1000} s: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
