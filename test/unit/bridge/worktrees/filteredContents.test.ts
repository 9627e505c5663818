import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { FilteredContents } from '../../../../src/bridge/worktrees/filteredContents.ts';
import type { Git } from '../../../../src/bridge/worktrees/gitRunner.ts';
import { tempRepo, type TempRepo } from '../../../support/tempRepo.ts';

describe('FilteredContents', function () {
  this.timeout(60_000);
  let repo: TempRepo | null = null;
  afterEach(() => repo?.dispose());

  const open = (files: Record<string, string | Buffer>, left: readonly string[] = []) => {
    repo = tempRepo({ files: { '.gitattributes': 'crlf* text eol=crlf\n', ...files } });
    const { runner, root } = repo;
    const calls: string[][] = [];
    const git: Git = {
      run: (args, options) => (calls.push([...args]), runner.run(args, options)),
      text: (args, options) => runner.text(args, options),
    };
    const oidOf = (path: string): string => {
      const literal = ['--literal-pathspecs', 'ls-files', '-s', '--', path];
      return repo?.git(...literal).split(' ')[1] ?? '';
    };
    const wanted = Object.keys(files).map((path) => ({ path, oid: oidOf(path) }));
    const expected = wanted.filter(({ path }) => !left.includes(path));
    return { contents: new FilteredContents(git, root, expected), wanted, calls };
  };

  it('gives what a checkout would write, whatever names and contents are like', async () => {
    const files: Record<string, string | Buffer> = {
      'crlf.txt': 'a\nb\n',
      'a b.txt': 'spaces\n',
      ' leading': 'white space first\n',
      'line\nfeed': 'odd\n',
      'ends in\r': 'odd\n',
      '"quoted"': 'q',
      empty: '',
      'no end': 'no line feed',
      bytes: Buffer.from([0, 255, 10, 10, 0]),
      'not expected': 'read alone\n',
    };
    const { contents, wanted } = open(files, ['not expected']);
    for (const { path, oid } of wanted) {
      const want = path === 'crlf.txt' ? 'a\r\nb\r\n' : (files[path] ?? '');
      assert.deepEqual(await contents.get(path, oid), Buffer.from(want), JSON.stringify(path));
    }
  });

  it('reads many files with few processes, and in any order', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 70 }, (_, n) => [`f${100 + n}`, `content ${n}\n`]),
    );
    const { contents, wanted, calls } = open(files);
    for (const { path, oid } of wanted)
      assert.equal((await contents.get(path, oid)).toString(), files[path]);
    assert.equal(calls.length, 3);
    const [first] = wanted;
    assert.ok(first);
    assert.equal((await contents.get(first.path, first.oid)).toString(), 'content 0\n');
  });

  it('gives no file the content of another when one is missing', async () => {
    const { contents, wanted } = open({ a: '1\n', b: '2\n', c: '3\n' });
    const [, b] = wanted;
    assert.ok(b);
    Object.assign(b, { oid: 'd'.repeat(40) });
    await assert.rejects(contents.get('a', wanted[0]?.oid ?? ''), { kind: 'git_failed' });
  });
});
