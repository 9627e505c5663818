import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLog } from '../../../../src/bridge/readLog.ts';
import { LogFollower, type LogPlace } from '../../../../src/host/jobPanel/logFollower.ts';

interface Chunk {
  readonly text: string;
  readonly offset: number;
  readonly place: LogPlace;
}

describe('a follower of a log', () => {
  let dir = '';
  let file = '';
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'log-follower-'));
    file = join(dir, 'transcript.txt');
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  /** A follower of the file through the engine's own reader, and what it pushes. */
  function follower(windowBytes: number): { log: LogFollower; chunks: Chunk[] } {
    const chunks: Chunk[] = [];
    const log = new LogFollower({
      windowBytes,
      read: async (offset, maxBytes, isFromLineStart) => {
        assert.ok(maxBytes >= 1024 && maxBytes <= 1_048_576, `a page of ${maxBytes} bytes`);
        return readLog(dir, 'transcript', { offset, maxBytes, isFromLineStart, isOver: false });
      },
      push: (chunk) => chunks.push(chunk),
    });
    return { log, chunks };
  }

  /** What a page has after these chunks. */
  function joined(chunks: readonly Chunk[]): string {
    return chunks.reduce((text, chunk) => {
      if (chunk.place === 'new') return chunk.text;
      return chunk.place === 'end' ? text + chunk.text : chunk.text + text;
    }, '');
  }

  function firstOffset(chunks: readonly Chunk[]): number {
    const start = chunks.findLast(({ place }) => place === 'start');
    const end = chunks.find(({ place }) => place === 'end');
    return (start ?? end ?? chunks.findLast(({ place }) => place === 'new'))?.offset ?? 0;
  }

  it('pushes what a log gains, line by line, and half lines when they are whole', async () => {
    writeFileSync(file, 'one\ntwo\nthr');
    const { log, chunks } = follower(100_000);
    await log.catchUp();
    assert.equal(joined(chunks), 'one\ntwo\n');
    appendFileSync(file, 'ee\nfour\n');
    await log.catchUp();
    assert.equal(joined(chunks), 'one\ntwo\nthree\nfour\n');
    const count = chunks.length;
    await log.catchUp();
    assert.equal(chunks.length, count, 'nothing new is nothing pushed');
  });

  it('begins near the end of a long log, and gives the rest page by page: each line once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120_000 }),
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 60, size: 'max' }),
        async (windowBytes, lengths) => {
          const whole = lengths.map((length, n) => `${n} ${'ä'.repeat(length / 2)}\n`).join('');
          writeFileSync(file, whole);
          const { log, chunks } = follower(windowBytes);
          await log.catchUp();
          for (let loads = 0; firstOffset(chunks) > 0; loads += 1) {
            assert.ok(loads < 50, 'the window grows');
            await log.loadEarlier(firstOffset(chunks));
          }
          assert.equal(joined(chunks), whole);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('starts over when the log has become another one', async () => {
    writeFileSync(file, 'the first log, a long one\n');
    const { log, chunks } = follower(100_000);
    await log.catchUp();
    writeFileSync(file, 'new\n');
    await log.catchUp();
    assert.equal(joined(chunks), 'new\n');
  });

  it('has nothing to push of a log that nobody has written', async () => {
    rmSync(file);
    const { log, chunks } = follower(100_000);
    await log.catchUp();
    assert.equal(joined(chunks), '');
    writeFileSync(file, 'at last\n');
    await log.catchUp();
    assert.equal(joined(chunks), 'at last\n');
  });

  it('goes on after a server that did not answer', async () => {
    let isDown = false;
    const chunks: Chunk[] = [];
    writeFileSync(file, 'one\n');
    const log = new LogFollower({
      windowBytes: 1000,
      read: async (offset, maxBytes) => {
        if (isDown) throw new Error('down');
        return readLog(dir, 'transcript', { offset, maxBytes, isOver: false });
      },
      push: (chunk) => chunks.push(chunk),
    });
    await log.catchUp();
    isDown = true;
    appendFileSync(file, 'two\n');
    await assert.rejects(log.catchUp(), /down/);
    isDown = false;
    await log.catchUp();
    assert.equal(joined(chunks), 'one\ntwo\n');
  });
});
