import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toolFolder, type ToolFolder } from './toolBoxFixture.ts';

let folder: ToolFolder;
beforeEach(() => {
  folder = toolFolder({
    'a.txt': 'one\ntwo\nthree\n',
    'crlf.txt': '\ufeffone\r\ntwo\r\nthree\r\n',
    'mixed.txt': 'one\r\ntwo\nthree\n',
    'latin1.txt': Buffer.from([0x63, 0xe9, 10]),
    'sub/b.txt': 'b',
    'link.txt': { link: 'sub/b.txt' },
    '.git/config': 'x',
  });
});
afterEach(() => folder.dispose());

const read = (name: string): string => readFileSync(folder.path(name), 'utf8');

describe('write_file', () => {
  it('makes a file and its folders, and says so', async () => {
    assert.deepEqual(await folder.call('write_file', { path: 'new/deep/x.txt', content: 'é\n' }), {
      text: 'OK: made new/deep/x.txt, 3 bytes.',
      isError: false,
      wrote: 'new/deep/x.txt',
    });
    assert.equal(read('new/deep/x.txt'), 'é\n');
  });

  it('replaces a file with its mode kept, and leaves nothing beside it', async () => {
    chmodSync(folder.path('a.txt'), 0o777);
    const outcome = await folder.call('write_file', { path: 'a.txt', content: '' });
    assert.equal(outcome.text, 'OK: replaced a.txt, 0 bytes.');
    assert.equal(read('a.txt'), '');
    assert.equal(statSync(folder.path('a.txt')).mode & 0o777, 0o777);
    assert.deepEqual(
      readdirSync(folder.root).filter((name) => name.includes('tmp')),
      [],
    );
  });

  it('writes what a link leads to and keeps the link', async () => {
    assert.equal(
      (await folder.call('write_file', { path: 'link.txt', content: 'new' })).wrote,
      'sub/b.txt',
    );
    assert.equal(read('sub/b.txt'), 'new');
    assert.equal(lstatSync(folder.path('link.txt')).isSymbolicLink(), true);
  });

  it('takes a name as long as names can be', async () => {
    const name = 'n'.repeat(255);
    assert.equal((await folder.call('write_file', { path: name, content: 'x' })).wrote, name);
  });

  const refused: readonly [string, Record<string, unknown>, RegExp][] = [
    ['no content', { path: 'x' }, /needs "content", a text; received: path/],
    ['content that is no text', { path: 'x', content: { a: 1 } }, /"content" of write_file must be a text, not \{"a":1\}/],
    ['too much', { path: 'x', content: 'é'.repeat(6) }, /has 12 bytes; more than 10/],
    ['a folder', { path: 'sub', content: '' }, /^sub is a folder/],
    ['the work folder', { path: '.', content: '' }, /work folder itself/],
    ['below a file', { path: 'a.txt/x', content: '' }, /a part of the path is a file/],
    ['what is git\'s', { path: '.git/config', content: '' }, /belongs to git/],
    ['outside', { path: '../x', content: '' }, /outside the work folder/],
  ]; // prettier-ignore
  for (const [title, input, text] of refused) {
    it(`refuses ${title}`, async () => {
      const outcome = await folder.call('write_file', input, { settings: { max_write_bytes: 10 } });
      assert.match(outcome.text, text);
      assert.deepEqual([outcome.isError, outcome.wrote], [true, undefined]);
      assert.equal(existsSync(folder.path('x')), false);
    });
  }

  it('does not make a work folder anew that is gone', async () => {
    const gone = toolFolder();
    const box = gone.box();
    gone.dispose();
    const outcome = await box.call(
      'write_file',
      { path: 'x', content: '' },
      new AbortController().signal,
    );
    assert.equal(outcome.text, 'The work folder is not there any more.');
    assert.equal(existsSync(gone.scratch), false);
  });

  it('does nothing once the job is cancelled', async () => {
    const stopped = AbortSignal.abort(new Error('cancelled'));
    await assert.rejects(
      folder.box().call('write_file', { path: 'x', content: '' }, stopped),
      /cancelled/,
    );
    assert.equal(existsSync(folder.path('x')), false);
  });
});

describe('edit_file', () => {
  const edits: readonly [string, Record<string, unknown>, string, string][] = [
    ['one place', { path: 'a.txt', old_string: 'two', new_string: '2' }, 'one\n2\nthree\n', 'OK: replaced 1 place of a.txt, line 2.'],
    ['lines', { path: 'a.txt', old_string: 'one\ntwo\n', new_string: '' }, 'three\n', 'OK: replaced 1 place of a.txt, line 1.'],
    ['every place', { path: 'a.txt', old_string: 'e', new_string: 'E', replace_all: true }, 'onE\ntwo\nthrEE\n', 'OK: replaced 3 places of a.txt.'],
    ['every place, said as text', { path: 'a.txt', old_string: 'e', new_string: 'E', replace_all: 'true' }, 'onE\ntwo\nthrEE\n', 'OK: replaced 3 places of a.txt.'],
    ['names of other tools', { file_path: 'a.txt', old_str: 'one', new_str: '1' }, '1\ntwo\nthree\n', 'OK: replaced 1 place of a.txt, line 1.'],
    ['dollars as they are', { path: 'a.txt', old_string: 'two', new_string: "$& $1 $'" }, "one\n$& $1 $'\nthree\n", 'OK: replaced 1 place of a.txt, line 2.'],
    ['CRLF and mark kept', { path: 'crlf.txt', old_string: 'one\ntwo', new_string: '1\n2\n2' }, '\ufeff1\r\n2\r\n2\r\nthree\r\n', 'OK: replaced 1 place of crlf.txt, line 1.'],
    ['CRLF kept when only the new text has lines', { path: 'crlf.txt', old_string: 'two', new_string: '2\n2' }, '\ufeffone\r\n2\r\n2\r\nthree\r\n', 'OK: replaced 1 place of crlf.txt, line 2.'],
    ['mixed line ends, as they are there', { path: 'mixed.txt', old_string: 'one\ntwo', new_string: '1\n2' }, '1\r\n2\nthree\n', 'OK: replaced 1 place of mixed.txt, line 1.'],
  ]; // prettier-ignore
  for (const [title, input, after, said] of edits) {
    it(`replaces ${title}`, async () => {
      const outcome = await folder.call('edit_file', input);
      assert.equal(outcome.text, said);
      assert.equal(read(outcome.wrote ?? ''), after);
    });
  }

  const refused: readonly [string, Record<string, unknown>, RegExp][] = [
    ['a text that stands there twice', { path: 'a.txt', old_string: 'e', new_string: 'E' }, /more than once \(lines 1, 3, 3\)/],
    ['a text that could stand there in two ways', { path: 'sub/b.txt', old_string: 'aa', new_string: 'x' }, /more than once \(lines 1, 1\)/],
    ['a text that is not there, with the nearest', { path: 'a.txt', old_string: '  two ', new_string: '' }, /not found in a\.txt\. The most similar place is:\n1\tone\n2\ttwo\n3\tthree/],
    ['a text with nothing like it', { path: 'a.txt', old_string: 'function foo() {', new_string: '' }, /nor anything like it/],
    ['line numbers', { path: 'a.txt', old_string: '1\tone\n2\ttwo', new_string: '' }, /leave out the line numbers/],
    ['nothing', { path: 'a.txt', old_string: '', new_string: 'x' }, /old_string is empty; write_file/],
    ['no change', { path: 'a.txt', old_string: 'one', new_string: 'one' }, /are the same/],
    ['a file that is not there', { path: 'b.txt', old_string: 'a', new_string: 'b' }, /^b\.txt is not there; the work folder has/],
    ['other encodings, which it would spoil', { path: 'latin1.txt', old_string: 'c', new_string: 'k' }, /not UTF-8/],
    ['a result that would fill the memory, before it is made', { path: 'huge.txt', old_string: 'y', new_string: 'x'.repeat(15_000_000), replace_all: true }, /would become larger than 40 bytes/],
    ['a result that is too large', { path: 'a.txt', old_string: 'one', new_string: 'x'.repeat(30) }, /would become larger than 40 bytes/],
  ]; // prettier-ignore
  for (const [title, input, text] of refused) {
    it(`refuses ${title}`, async () => {
      writeFileSync(folder.path('sub/b.txt'), 'aaa\n');
      writeFileSync(folder.path('huge.txt'), 'y'.repeat(40));
      const before = read('a.txt');
      const outcome = await folder.call('edit_file', input, { settings: { max_write_bytes: 40 } });
      assert.match(outcome.text, text);
      assert.deepEqual([outcome.isError, outcome.wrote], [true, undefined]);
      assert.equal(read('a.txt'), before);
    });
  }

  it('changes what it says and nothing else, for any text', async () => {
    const word = fc.constantFrom('a', 'b', 'ab', '\n', '$&', 'é', '\\');
    const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        text,
        text,
        fc.boolean(),
        async (before, old, put, after, isEvery) => {
          fc.pre(old !== '' && old !== put);
          writeFileSync(folder.path('any.txt'), before + old + after);
          const outcome = await folder.call('edit_file', {
            path: 'any.txt',
            old_string: old,
            new_string: put,
            replace_all: isEvery,
          });
          const whole = before + old + after;
          const isOnce = whole.indexOf(old) === whole.lastIndexOf(old);
          assert.equal(outcome.isError, !isEvery && !isOnce);
          if (isEvery) assert.equal(read('any.txt'), whole.split(old).join(put));
          else assert.equal(read('any.txt'), isOnce ? before + put + after : whole);
        },
      ),
      { numRuns: 200 },
    );
  });
});
