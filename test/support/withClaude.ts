import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type AsyncFunc, describe, it, type Suite } from 'mocha';
import { skipBecause } from './skipBecause.ts';

const CLAUDE = resolve(import.meta.dirname, '../../node_modules/.bin/claude');
const START_LIMIT_MS = 60_000;
/** Why the pinned Claude Code cannot run here; null when it can. `npm ci --omit=optional` leaves its program out. */
export const whyNoClaude = await promisify(execFile)(CLAUDE, ['--version'], {
  timeout: START_LIMIT_MS,
}).then(
  () => null,
  () => 'Claude Code is not installed: run "npm ci" without --omit=optional',
);

/** Registers a test whose jobs run the real Claude Code; where it is not installed the test is skipped, and `npm test` says why. */
export function itWithClaude(name: string, test: AsyncFunc): void {
  it(
    name,
    whyNoClaude === null
      ? test
      : function () {
          skipBecause(this, whyNoClaude);
        },
  );
}

/** The same for all tests of a suite, whose hooks are then left out as well. */
export function describeWithClaude(title: string, suite: (this: Suite) => void): void {
  if (whyNoClaude === null) {
    describe(title, suite);
    return;
  }
  const skipped = describe.skip(title, suite);
  if (skipped) skipped.eachTest((test) => Object.assign(test, { skipReason: whyNoClaude }));
}
