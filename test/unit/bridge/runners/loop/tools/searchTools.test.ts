import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { toolFolder, type ToolFolder } from './toolBoxFixture.ts';

let folder: ToolFolder;
before(() => {
  folder = toolFolder({
    '.gitignore': 'dist/\n*.log\n*.map\n',
    'README.md': 'Say hello\nto foo(\n',
    'a-b.ts': 'const x = 1;\n',
    'a/b.ts': 'export const Hello = 1;\nhello again\n',
    'a/c.test.ts': 'hello(hello)\n',
    'a/.git/x': 'hello\n',
    'dist/out.js': 'hello\n',
    'dist/out.map': '',
    'noise.log': 'hello\n',
    'node_modules/p/index.js': 'hello\n',
    'binary.dat': Buffer.from('hello\0'),
    'win.txt': 'hello\r\nbye\r\n',
    'odd\nname.md': 'hello odd\n',
    'link.md': { link: 'README.md' },
    out: { link: '..' },
    'long.min.js': `${'y'.repeat(100_000)}NEEDLE${'z'.repeat(700_000)}`,
    'evil.txt': `${'a'.repeat(200)}!\n`,
    'empty/keep': '',
  });
});
after(() => folder.dispose());

describe('glob', () => {
  const table: readonly [Record<string, unknown>, readonly string[]][] = [
    [{ pattern: '*.ts' }, ['a-b.ts', 'a/b.ts', 'a/c.test.ts']],
    [{ pattern: './*.ts' }, ['a-b.ts', 'a/b.ts', 'a/c.test.ts']],
    [{ pattern: 'a/*.ts' }, ['a/b.ts', 'a/c.test.ts']],
    [{ pattern: '**/*.test.{ts,js}' }, ['a/c.test.ts']],
    [{ pattern: '{a-b,b}.ts' }, ['a-b.ts', 'a/b.ts']],
    [{ pattern: 'ROOT/a/*' }, ['a/b.ts', 'a/c.test.ts']],
    [{ pattern: '*', path: 'a' }, ['a/b.ts', 'a/c.test.ts']],
    [{ pattern: 'b.ts', path: 'ROOT/a' }, ['a/b.ts']],
    [{ pattern: '**/*.js' }, ['long.min.js']],
    [{ pattern: '**/*.js', include_ignored: true }, ['dist/out.js', 'long.min.js', 'node_modules/p/index.js']],
    [{ pattern: '*.js', path: 'dist' }, ['dist/out.js']],
    [{ pattern: '*.map', path: 'dist' }, ['dist/out.map']],
    [{ pattern: '*.md' }, ['README.md', 'link.md', '"odd\\nname.md"']],
    [{ pattern: 'empty/**' }, ['empty/keep']],
    [{ pattern: 'nothing' }, []],
  ]; // prettier-ignore
  for (const [input, files] of table) {
    it(JSON.stringify(input), async () => {
      const real = JSON.parse(
        JSON.stringify(input).replaceAll('ROOT', folder.root),
      ) as typeof input;
      const { text, isError } = await folder.call('glob', real);
      const [head, ...lines] = text.split('\n');
      const count =
        files.length === 1 ? '1 file' : `${files.length === 0 ? 'no' : files.length} files`;
      assert.deepEqual([head, lines, isError], [`[${count}]`, [...files], false]);
    });
  }

  const refused: readonly [Record<string, unknown>, RegExp][] = [
    [{ pattern: '' }, /pattern is empty/],
    [{}, /needs "pattern"/],
    [{ pattern: '../*' }, /cannot lead out/],
    [{ pattern: '/etc/*' }, /cannot lead out/],
    [{ pattern: '['.repeat(1_001) }, /more than 1000 characters/],
    [{ pattern: '{a,b}'.repeat(9) }, /too many alternatives/],
    [{ pattern: '*', path: '..' }, /outside the work folder/],
    [{ pattern: '*', path: 'out' }, /outside the work folder/],
    [{ pattern: '*', path: 'README.md' }, /is a file, not a folder/],
    [{ pattern: '*', path: 'nope' }, /^nope is not there; the work folder has/],
  ];
  for (const [input, text] of refused) {
    it(`refuses ${JSON.stringify(input).slice(0, 50)}`, async () => {
      const outcome = await folder.call('glob', input);
      assert.match(outcome.text, text);
      assert.equal(outcome.isError, true);
    });
  }

  it('stops at its limits and says so', async () => {
    const crowd = toolFolder(
      Object.fromEntries(
        Array.from({ length: 250 }, (_, at) => [`f${String(at).padStart(3, '0')}`, '']),
      ),
    );
    try {
      const { text } = await crowd.call('glob', { pattern: '*' });
      const lines = text.split('\n');
      assert.equal(lines.length, 201);
      assert.deepEqual(lines.slice(0, 2), [
        '[200 files | stopped after 200; narrow the pattern]',
        'f000',
      ]);
      const small = await crowd.call('glob', { pattern: '*' }, { settings: { read_cap: 50 } });
      assert.equal(small.text.split('\n').length, 11);
    } finally {
      crowd.dispose();
    }
  });
});

describe('grep', function () {
  this.timeout(20_000);
  const table: readonly [Record<string, unknown>, readonly string[]][] = [
    [
      { pattern: 'hello' },
      [
        '[5 lines in 5 files | 1 binary file left out]',
        'README.md:1: Say hello',
        'a/b.ts:2: hello again',
        'a/c.test.ts:1: hello(hello)',
        '"odd\\nname.md":1: hello odd',
        'win.txt:1: hello',
      ],
    ],
    [{ pattern: 'hello', ignore_case: true, glob: '*.ts' }, ['[3 lines in 2 files]', 'a/b.ts:1: export const Hello = 1;', 'a/b.ts:2: hello again', 'a/c.test.ts:1: hello(hello)']],
    [{ pattern: '(?i)HELLO', path: 'README.md' }, ['[1 line in 1 file]', 'README.md:1: Say hello']],
    [{ pattern: '^(bye|to)', files_only: true }, ['[2 files | 1 binary file left out]', 'README.md', 'win.txt']],
    [{ pattern: 'bye$' }, ['[1 line in 1 file | 1 binary file left out]', 'win.txt:2: bye']],
    [{ pattern: 'foo(', path: 'README.md' }, ['[1 line in 1 file | no regular expression, so searched as plain text]', 'README.md:2: to foo(']],
    [{ pattern: 'o(h', literal: true }, ['[1 line in 1 file | 1 binary file left out]', 'a/c.test.ts:1: hello(hello)']],
    [{ pattern: 'h.*o', literal: true, path: 'a' }, ['[nothing found in 2 files]']],
    [{ pattern: 'hello', path: 'a', limit: 1 }, ['[1 line in 1 file | there is more: narrow the search, or raise limit]', 'a/b.ts:2: hello again']],
    [{ pattern: 'hello', path: 'dist' }, ['[1 line in 1 file]', 'dist/out.js:1: hello']],
    [{ pattern: 'hello', include_ignored: true, glob: '**/*.{log,js}' }, ['[3 lines in 3 files]', 'dist/out.js:1: hello', 'node_modules/p/index.js:1: hello', 'noise.log:1: hello']],
    [{ pattern: 'absent', path: 'a/b.ts' }, ['[nothing found in 1 file]']],
    [{ pattern: '[[:upper:]]ello[[:space:]]=', path: 'a' }, ['[1 line in 1 file]', 'a/b.ts:1: export const Hello = 1;']],
    [{ pattern: 'hello\\|bye', path: 'win.txt' }, ['[nothing found in 1 file | "\\|" stands for the character "|"; "or" is "|"]']],
    [{ pattern: 'hello|bye', path: 'win.txt' }, ['[2 lines in 1 file]', 'win.txt:1: hello', 'win.txt:2: bye']],
    [{ pattern: '^$', path: 'a' }, ['[nothing found in 2 files]']],
  ]; // prettier-ignore
  for (const [input, lines] of table) {
    it(JSON.stringify(input), async () => {
      const { text, isError } = await folder.call('grep', input);
      assert.deepEqual(text.split('\n'), lines);
      assert.equal(isError, false);
    });
  }

  it('shows the place in a long line, wherever reads cut the file', async () => {
    const { text } = await folder.call('grep', { pattern: 'NEEDLE', path: 'long.min.js' });
    assert.match(text, /\nlong\.min\.js:1: …y{60}NEEDLEz{174}…$/);
  });

  it('ends a pattern that would take for ever, and says what to do', async () => {
    const started = performance.now();
    const { text, isError } = await folder.call('grep', { pattern: '^(a+)+$', path: 'evil.txt' });
    assert.match(text, /^The pattern takes too long to match in evil\.txt: make it simpler/);
    assert.equal(isError, true);
    assert.ok(performance.now() - started < 10_000);
  });

  const refused: readonly [Record<string, unknown>, RegExp][] = [
    [{}, /needs "pattern"/],
    [{ pattern: '' }, /pattern is empty/],
    [{ pattern: 'x'.repeat(2_001) }, /more than 2000 characters/],
    [{ pattern: 'x', path: '../' }, /outside the work folder/],
    [{ pattern: 'x', path: 'out' }, /outside the work folder/],
    [{ pattern: 'x', literal: 'maybe' }, /"literal" of grep must be true or false, not "maybe"/],
    [{ pattern: 'x', limit: 'many' }, /"limit" of grep must be a whole number/],
  ];
  for (const [input, text] of refused) {
    it(`refuses ${JSON.stringify(input).slice(0, 50)}`, async () => {
      const outcome = await folder.call('grep', input);
      assert.match(outcome.text, text);
      assert.equal(outcome.isError, true);
    });
  }

  it('finds what the real grep finds, and never more than its caps allow', async () => {
    const line = fc
      .array(fc.constantFrom('a', 'b', 'ab ', 'é', 'x.y', '\t'), { maxLength: 6 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('a', 'b', 'ab', 'x.y', 'é', '^a', 'b$', 'a|x'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 20, max: 400 }),
        async (lines, pattern, limit, cap) => {
          writeFileSync(folder.path('any.txt'), lines.join('\n'));
          const { text } = await folder.call(
            'grep',
            { pattern, path: 'any.txt', limit },
            { settings: { read_cap: cap } },
          );
          const [, ...found] = text.split('\n');
          const want = realGrep(pattern, folder.path('any.txt')).map((each) => `any.txt:${each}`);
          assert.ok(found.length <= limit && found.join('\n').length <= cap);
          assert.deepEqual(found, want.slice(0, found.length));
          const isCut =
            found.length === limit ||
            [...found, want[found.length] ?? ''].join('\n').length + 1 > cap;
          if (!isCut) assert.deepEqual(found, want);
          assert.equal(text.includes('there is more'), found.length < want.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts lines right over many reads', async () => {
    writeFileSync(folder.path('many.txt'), '');
    for (let block = 0; block < 40; block += 1) {
      appendFileSync(
        folder.path('many.txt'),
        Array.from({ length: 1_000 }, (_, at) => `line ${block * 1_000 + at + 1} é\n`).join(''),
      );
    }
    const { text } = await folder.call('grep', {
      pattern: 'line \\d*999 ',
      path: 'many.txt',
      limit: 1000,
    });
    const [, ...found] = text.split('\n');
    assert.equal(found.length, 40);
    for (const each of found) assert.match(each, /^many\.txt:(\d+): line \1 é$/);
  });
});

function realGrep(pattern: string, file: string): string[] {
  try {
    return execFileSync('grep', ['-nE', pattern, file], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(':', ': '));
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

describe('list_dir', () => {
  it('lists the work folder', async () => {
    const { text } = await folder.call('list_dir', { path: 'a' });
    assert.equal(text, '[a | 3 entries]\n.git/\nb.ts  36 bytes\nc.test.ts  13 bytes');
    const root = (await folder.call('list_dir', {})).text.split('\n');
    assert.match(root[0] ?? '', /^\[the work folder \| \d+ entries\]$/);
    for (const line of ['a/', 'link.md -> README.md', 'out -> ..', '"odd\\nname.md"  10 bytes']) {
      assert.ok(root.includes(line), line);
    }
  });
  it('refuses files, other places and what is not there', async () => {
    for (const [path, text] of [
      ['README.md', /is a file; read_file shows it/],
      ['out', /outside/],
      ['nope', /is not there/],
    ] as const) {
      assert.match((await folder.call('list_dir', { path })).text, text);
    }
  });
  it('says how many it left out', async () => {
    const { text } = await folder.call('list_dir', {}, { settings: { read_cap: 30 } });
    assert.match(text, /the first 1 of \d+ entries; glob finds files by name/);
  });
});
