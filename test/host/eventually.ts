import assert from 'node:assert/strict';

/** Polls until the condition holds; fails after 20 s with what was waited for. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const deadlineMs = Date.now() + 20_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadlineMs, `within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
