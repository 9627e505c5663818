import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLog } from '../../../src/bridge/readLog.ts';

/** The lines of a log, read from its end towards its begin as a window that loads earlier ones does. */
function readBackwards(dir: string, sizeBytes: number, pageBytes: number): string {
  let text = '';
  let before = sizeBytes;
  while (before > 0) {
    let reach = pageBytes;
    for (;;) {
      const offset = Math.max(0, before - reach);
      const page = readLog(dir, 'transcript', {
        offset,
        maxBytes: before - offset,
        isOver: true,
        isFromLineStart: true,
      });
      if (page.text === '' && offset > 0) {
        reach *= 2; // the page lies within one line
        continue;
      }
      assert.equal(page.nextOffset, before);
      assert.ok(page.offset < before, 'the window grows');
      text = page.text + text;
      before = page.offset;
      break;
    }
  }
  return text;
}

describe('readLog from the start of a line', () => {
  it('gives every line once and whole, wherever the pages begin', () => {
    const dir = mkdtempSync(join(tmpdir(), 'read-log-'));
    try {
      fc.assert(
        fc.property(
          fc.array(fc.stringMatching(/^[aä€😀 ]{0,12}$/u), { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 40 }),
          (lines, pageBytes) => {
            const whole = `${lines.join('\n')}\n`;
            writeFileSync(join(dir, 'transcript.txt'), whole);
            assert.equal(readBackwards(dir, Buffer.byteLength(whole), pageBytes), whole);
          },
        ),
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
