import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sanitiseText } from '../../../src/base/sanitise.ts';
import { readLog } from '../../../src/bridge/readLog.ts';

describe('readLog', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-log-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const page = (offset: number, more: { maxBytes?: number; isOver?: boolean } = {}) =>
    readLog(dir, 'transcript', { offset, maxBytes: 1024, isOver: false, ...more });
  const write = (content: string | Buffer, name = 'transcript.txt'): void =>
    writeFileSync(join(dir, name), content);

  it('a log that nobody has written yet is empty', () => {
    assert.deepEqual(page(0), { text: '', offset: 0, nextOffset: 0, sizeBytes: 0 });
  });

  it('keeps the last line back until it is whole or the job is over', () => {
    write('one\ntwo');
    assert.deepEqual(page(0), { text: 'one\n', offset: 0, nextOffset: 4, sizeBytes: 7 });
    assert.equal(page(4).text, '');
    assert.equal(page(4, { isOver: true }).text, 'two');
    appendFileSync(join(dir, 'transcript.txt'), ' more\n');
    assert.deepEqual(page(4), { text: 'two more\n', offset: 4, nextOffset: 13, sizeBytes: 13 });
    assert.deepEqual(page(13), { text: '', offset: 13, nextOffset: 13, sizeBytes: 13 });
  });

  it('a log that has become shorter begins anew', () => {
    write('a new log\n');
    assert.deepEqual(page(100), { text: '', offset: 0, nextOffset: 0, sizeBytes: 10 });
  });

  it('a line that is longer than a page is read in pieces, none of which ends in a character', () => {
    const line = '✓ä𝄞'.repeat(50);
    write(`${line}\nend\n`);
    for (const maxBytes of [16, 17, 18, 19, 20, 21]) {
      let text = '';
      for (let offset = 0; ;) {
        const read = page(offset, { maxBytes });
        assert.ok(Buffer.byteLength(read.text) <= maxBytes);
        assert.doesNotMatch(read.text, /\ufffd/);
        text += read.text;
        if (read.nextOffset === read.sizeBytes) break;
        assert.ok(read.nextOffset > offset, 'every page goes on');
        offset = read.nextOffset;
      }
      assert.equal(text, `${line}\nend\n`);
    }
  });

  it('pages put together are the log, whatever it holds, and none is larger than asked for', () => {
    const content = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc
        .array(fc.constantFrom('é', '𝄞', '\n', 'x', '\r\n', '✓'), { maxLength: 400 })
        .map((all) => all.join('')),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 8, max: 120 }),
        fc.boolean(),
        (text, maxBytes, isRaw) => {
          write(isRaw ? Buffer.from(text, 'latin1') : text);
          let found = '';
          let offset = 0;
          for (let pages = 0; ; pages += 1) {
            assert.ok(pages <= 2_000, 'it comes to an end');
            const read = page(offset, { maxBytes, isOver: true });
            assert.ok(Buffer.byteLength(read.text) <= maxBytes);
            found += read.text;
            offset = read.nextOffset;
            if (offset >= read.sizeBytes) break;
          }
          // Where a page ends within an escape sequence or CRLF more is left of it than of the whole; nothing unsafe is.
          assert.equal(found, sanitiseText(found));
          const letters = (value: string): string => value.replace(/[^\p{L}\p{N}]/gu, '');
          if (!isRaw && sanitiseText(text) === text)
            assert.equal(letters(found), letters(sanitiseText(text)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('bytes that are no text stay within the page', () => {
    write(Buffer.alloc(4096, 0xff));
    let offset = 0;
    for (let pages = 0; offset < 4096; pages += 1) {
      assert.ok(pages < 100);
      const read = page(offset, { isOver: true });
      assert.ok(Buffer.byteLength(read.text) <= 1024 && read.nextOffset > offset);
      offset = read.nextOffset;
    }
  });

  it('what a model said is safe, in texts and in the JSON of events, keys and all', () => {
    write('red \u001b[31m alert \u202e\u0007\n');
    assert.equal(page(0).text, 'red   alert   \n');
    const event = { text: 'x\u001b[2Jy', nested: [{ 'k\u202ey': 'v\u2028' }], n: 1.5, ok: null };
    write(`${JSON.stringify(event)}\n{"cut": "ab\u001b\n`, 'events.jsonl');
    const { text } = readLog(dir, 'events', { offset: 0, maxBytes: 1024, isOver: true });
    const [first = '', second] = text.split('\n');
    assert.deepEqual(JSON.parse(first), {
      text: 'x y',
      nested: [{ 'k y': 'v ' }],
      n: 1.5,
      ok: null,
    });
    assert.equal(second, '{"cut": "ab ');
  });

  it('JSON that is nested without end is text like any other', () => {
    write(`${'['.repeat(200_000)}\n`, 'events.jsonl');
    const read = readLog(dir, 'events', { offset: 0, maxBytes: 1_048_576, isOver: true });
    assert.equal(read.nextOffset, 200_001);
  });

  it('a link in the place of a log is not followed', () => {
    write('secret', 'elsewhere');
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'transcript.txt'));
    assert.throws(() => page(0), { code: 'ELOOP' });
  });

  it('from the start of a line: the rest of one that began earlier is left out', () => {
    write('one\ntwo\nthree\n');
    const from = (offset: number) =>
      readLog(dir, 'transcript', { offset, maxBytes: 1024, isOver: true, isFromLineStart: true });
    assert.deepEqual(
      [0, 1, 4, 5].map((offset) => [from(offset).text, from(offset).offset]),
      [
        ['one\ntwo\nthree\n', 0],
        ['two\nthree\n', 4],
        ['two\nthree\n', 4],
        ['three\n', 8],
      ],
    );
  });
});
