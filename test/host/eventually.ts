import assert from 'node:assert/strict';

const LIMIT_MS = 90_000;

/** Polls until the condition holds; fails after 90 s with what was waited for. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  const deadlineMs = Date.now() + LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadlineMs)
      assert.fail(`within ${LIMIT_MS / 1000} s: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
