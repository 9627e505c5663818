import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { ToolBox } from '../../../../../../src/bridge/runners/loop/tools/toolTypes.ts';
import { toolFolder, type ToolFolder } from './toolBoxFixture.ts';

const NEVER = new AbortController().signal;

describe('read_file', function () {
  this.timeout(30_000);
  let folder: ToolFolder;
  before(() => {
    folder = toolFolder({
      'three.txt': 'one\ntwo\nthree\n',
      'open.txt': 'one\ntwo',
      'empty.txt': '',
      'mark.txt': '\ufeff',
      'bom.txt': '\ufeffone\n',
      'crlf.txt': 'one\r\ntwo\r\n',
      'mixed.txt': 'one\r\ntwo\n',
      'return.txt': 'one\r\ntwo\r',
      'binary.dat': Buffer.from([1, 2, 0, 3]),
      'utf16.txt': Buffer.from('\ufeffhi', 'utf16le'),
      'latin1.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
      'long.js': 'x'.repeat(60_000),
      'big.log': 'y'.repeat(5_000),
      'line\nbreak.txt': 'odd\n',
      'sub/deep.txt': 'deep\n',
    });
    execFileSync('mkfifo', [folder.path('pipe')]);
  });
  after(() => folder.dispose());

  const shown: readonly [string, Record<string, unknown>, string][] = [
    ['a whole file', { path: 'three.txt' }, '[file three.txt | lines 1-3 of 3]\n1\tone\n2\ttwo\n3\tthree'],
    ['an absolute path', { path: 'ABS/sub/deep.txt' }, '[file sub/deep.txt | lines 1-1 of 1]\n1\tdeep'],
    ['the name that other tools use', { file_path: 'sub/deep.txt' }, '[file sub/deep.txt | lines 1-1 of 1]\n1\tdeep'],
    ['no newline at the end', { path: 'open.txt' }, '[file open.txt | lines 1-2 of 2 | no newline at the end]\n1\tone\n2\ttwo'],
    ['an empty file', { path: 'empty.txt' }, '[file empty.txt | empty]'],
    ['nothing but a mark', { path: 'mark.txt' }, '[file mark.txt | empty | byte order mark]'],
    ['a byte order mark', { path: 'bom.txt' }, '[file bom.txt | lines 1-1 of 1 | byte order mark]\n1\tone'],
    ['CRLF', { path: 'crlf.txt' }, '[file crlf.txt | lines 1-2 of 2 | CRLF line ends]\n1\tone\n2\ttwo'],
    ['some CRLF', { path: 'mixed.txt' }, '[file mixed.txt | lines 1-2 of 2 | some line ends are CRLF]\n1\tone\r\n2\ttwo'],
    ['a CR that ends no line', { path: 'return.txt' }, '[file return.txt | lines 1-2 of 2 | CRLF line ends | no newline at the end]\n1\tone\n2\ttwo\r'],
    ['other encodings', { path: 'latin1.txt' }, '[file latin1.txt | lines 1-1 of 1]\n1\tcaf\ufffd'],
    ['a name with a line break', { path: 'line\nbreak.txt' }, '[file "line\\nbreak.txt" | lines 1-1 of 1]\n1\todd'],
    ['a range', { path: 'three.txt', offset: 2, limit: 1 }, '[file three.txt | lines 2-2 of 3]\n2\ttwo\n[there is more; go on with offset=3]'],
    ['numbers as text', { path: 'three.txt', offset: '2', limit: '5' }, '[file three.txt | lines 2-3 of 3]\n2\ttwo\n3\tthree'],
    ['zero and less: from the start, no limit', { path: 'open.txt', offset: -4, limit: 0, column: 0 }, '[file open.txt | lines 1-2 of 2 | no newline at the end]\n1\tone\n2\ttwo'],
    ['null: left out', { path: 'three.txt', offset: 3, limit: null }, '[file three.txt | lines 3-3 of 3]\n3\tthree'],
    ['a part of a line', { path: 'three.txt', offset: 3, column: 3 }, '[file three.txt | lines 3-3 of 3 | line 3 from column 3]\n3\tree'],
  ]; // prettier-ignore
  for (const [title, input, text] of shown) {
    it(`shows ${title}`, async () => {
      const path = input['path'];
      const real = typeof path === 'string' ? path.replace('ABS', folder.root) : path;
      const given = path === undefined ? input : { ...input, path: real };
      assert.deepEqual(await folder.call('read_file', given), { text, isError: false });
    });
  }

  const refused: readonly [string, Record<string, unknown>, RegExp][] = [
    ['a missing file, with what is there', { path: 'sub/dep.txt' }, /^sub\/dep\.txt is not there; sub has deep\.txt\.$/],
    ['a missing folder, with what is there', { path: 'no/such/x' }, /^no is not there; the work folder has big\.log, binary\.dat, .* "line\\nbreak\.txt", /],
    ['a file as a folder', { path: 'three.txt/x' }, /^three\.txt\/x is not there: three\.txt is a file\.$/],
    ['a folder', { path: 'sub' }, /^sub is a folder; list_dir/],
    ['a pipe, without waiting', { path: 'pipe' }, /^pipe is a pipe or a device/],
    ['a binary file', { path: 'binary.dat' }, /^binary\.dat is a binary file \(4 bytes\)/],
    ['UTF-16', { path: 'utf16.txt' }, /iconv/],
    ['a line that is not there', { path: 'three.txt', offset: 99 }, /^three\.txt has 3 lines; there is no line 99\.$/],
    ['a column that is not there', { path: 'three.txt', offset: 2, column: 9 }, /^Line 2 of three\.txt has 3 characters; there is no column 9\.$/],
    ['no path', { offset: 3 }, /needs "path", a text; received: offset/],
    ['nothing', {}, /needs "path", a text; no arguments came/],
    ['a path that is no text', { path: ['a'] }, /"path" of read_file must be a text, not \["a"\]/],
    ['an offset that is no number', { path: 'three.txt', offset: 'two' }, /"offset" of read_file must be a whole number, not "two"/],
    ['a way out', { path: '../x' }, /outside the work folder/],
  ]; // prettier-ignore
  for (const [title, input, text] of refused) {
    it(`refuses ${title}`, async () => {
      const outcome = await folder.call('read_file', input);
      assert.match(outcome.text, text);
      assert.equal(outcome.isError, true);
      assert.equal(outcome.text.includes(folder.root), false);
    });
  }

  it('says what to do with a file that is too large', async () => {
    const { text, isError } = await folder.call(
      'read_file',
      { path: 'big.log' },
      { settings: { max_read_bytes: 4_999 } },
    );
    assert.equal(isError, true);
    assert.match(text, /^big\.log has 5000 bytes; more than 4999 are not read.*grep.*run_bash/);
  });

  it('names at most 20 siblings, sorted', async () => {
    const crowd = toolFolder(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, ''])),
    );
    try {
      const { text } = await crowd.call('read_file', { path: 'nope' });
      const names = /has (.*) and 10 more\.$/.exec(text)?.[1]?.split(', ') ?? [];
      assert.deepEqual(
        names,
        Array.from({ length: 30 }, (_, at) => `f${at}`)
          .sort()
          .slice(0, 20),
      );
    } finally {
      crowd.dispose();
    }
  });

  it('goes on inside a line that is longer than a page', async () => {
    const box = folder.box();
    const first = await box.call('read_file', { path: 'long.js' }, NEVER);
    assert.match(first.text, /\n\[cut inside line 1; go on with offset=1, column=49998\]$/);
    const second = await box.call(
      'read_file',
      { path: 'long.js', offset: 1, column: 49_998 },
      NEVER,
    );
    assert.match(second.text, /line 1 from column 49998/);
    assert.equal(/\n1\t(x+)$/.exec(second.text)?.[1]?.length, 60_000 - 49_997);
  });

  /** Reads a file as the answers say, and puts it together again. */
  async function readAll(box: ToolBox, path: string, limit: number | null) {
    let text = '';
    let place: { offset: number; column: number } | null = { offset: 1, column: 1 };
    const pages: { header: string; body: string }[] = [];
    while (place !== null) {
      assert.ok(pages.length < 5_000, 'reading goes on for ever');
      const outcome = await box.call('read_file', { path, limit, ...place }, NEVER);
      assert.equal(outcome.isError, false, outcome.text);
      const lines = outcome.text.split('\n');
      const header = lines.shift() ?? '';
      const [, more] =
        /^\[there is more; go on with offset=(\d+)\]$/.exec(lines.at(-1) ?? '') ?? [];
      const [, at, column] =
        /^\[cut inside line \d+; go on with offset=(\d+), column=(\d+)\]$/.exec(
          lines.at(-1) ?? '',
        ) ?? [];
      if (more !== undefined || at !== undefined) lines.pop();
      pages.push({ header, body: lines.join('\n') });
      const end = header.includes('CRLF line ends') ? '\r\n' : '\n';
      text += lines.map((line) => line.replace(/^\d+\t/, '')).join(end);
      if (at !== undefined) place = { offset: Number(at), column: Number(column) };
      else if (more !== undefined) {
        text += end;
        place = { offset: Number(more), column: 1 };
      } else {
        if (!header.includes('no newline at the end') && lines.length > 0) text += end;
        place = null;
      }
    }
    return { text, pages };
  }

  it('pages cover every byte once and keep to the cap, for any text, cap and limit', async () => {
    const piece = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('a', 'bc', '\t', ' ', 'é', '😀', '\u2028', '12\t', '['),
      },
      { weight: 2, arbitrary: fc.constantFrom('\n', '\n\n') },
      { weight: 1, arbitrary: fc.constantFrom('\r\n', '\r') },
      { weight: 1, arbitrary: fc.integer({ min: 5, max: 90 }).map((length) => 'x'.repeat(length)) },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 3, max: 40 }).map((length) => '😀'.repeat(length)),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
        fc.integer({ min: 1, max: 120 }),
        fc.option(fc.integer({ min: 1, max: 5 })),
        async (text, cap, limit) => {
          writeFileSync(folder.path('any.txt'), text);
          const { text: got, pages } = await readAll(
            folder.box({ settings: { read_cap: cap } }),
            'any.txt',
            limit,
          );
          assert.equal(got, text);
          for (const { body } of pages) {
            assert.doesNotMatch(body, /[\ud800-\udbff](?![\udc00-\udfff])/, 'half a character');
            const [only, more] = body.split('\n');
            const least = (only ?? '').replace(/^\d+\t/, '');
            assert.ok(
              body.length < cap || (more === undefined && Array.from(least).length <= 1),
              body,
            );
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('pages cover a file of many reads once, characters at the borders of reads included', async () => {
    // A read ends inside of a character wherever its length is no multiple of three.
    const text = '€'.repeat(200_000);
    writeFileSync(folder.path('large.txt'), text);
    const { text: got } = await readAll(folder.box(), 'large.txt', null);
    assert.equal(got, text);
  });
});
