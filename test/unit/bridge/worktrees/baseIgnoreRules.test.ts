import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import {
  baseIgnoreRules,
  literalRule,
  rulesForFolder,
} from '../../../../src/bridge/worktrees/baseIgnoreRules.ts';
import { tempRepo, type TempRepo } from '../../../support/tempRepo.ts';

describe('ignore rules of a commit', () => {
  let repo: TempRepo;
  before(() => {
    repo = tempRepo({ files: { keep: '' } });
  });
  after(() => repo.dispose());

  it('are moved to the top with their meaning', () => {
    const cases: [string, string, string][] = [
      ['', 'x\n/y\n', 'x\n/y\n'],
      ['d', 'x\n', '/d/**/x\n'],
      ['d', '/x\n', '/d/x\n'],
      ['d', 'a/b\n', '/d/a/b\n'],
      ['d', 'x/\n', '/d/**/x/\n'],
      ['d', '!x\n', '!/d/**/x\n'],
      ['d', '# no\n\n  \n', ''],
      ['d', '\\#x\r\n', '/d/**/\\#x\n'],
      ['d [1]*', 'x\n', '/d \\[1]\\*/**/x\n'],
      ['', '\xef\xbb\xbfx\n', 'x\n'],
      ['line\nend', 'x\n', ''],
    ];
    for (const [folder, text, expected] of cases)
      assert.equal(rulesForFolder(folder, text), expected);
    assert.equal(literalRule('a*b/[c] '), '/a\\*b/\\[c]\\ \n');
  });

  it('say the same as git says of the files themselves (property)', async function () {
    this.timeout(60_000);
    const folder = fc.constantFrom('', 'd', 'd/e', 'd [x]', 'ü');
    const name = fc.constantFrom(
      'x',
      'y',
      'x.log',
      '*.log',
      'e',
      '**',
      'x*',
      '[xy]',
      'd',
      '#x',
      'é',
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '', '/', '**/'),
        name,
        fc.constantFrom('', '', '/', '/x', '/**'),
      )
      .map((parts) => parts.join(''));
    const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 4 });
    const files = ['', 'd/', 'd/e/', 'd [x]/', 'ü/', 'd/x/'].flatMap((at) =>
      ['x', 'y', 'x.log', 'é']
        .filter((leaf) => !(at === 'd/' && leaf === 'x'))
        .map((leaf) => at + leaf),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(folder, ignoreFile, { maxKeys: 4 }), async (ignoreFiles) => {
        repo.git('rm', '-rq', '--cached', '.');
        for (const at of ['.gitignore', 'd', 'd [x]', 'ü', 'x', 'y', 'x.log', 'é'])
          rmSync(repo.path(at), { recursive: true, force: true });
        for (const [at, lines] of Object.entries(ignoreFiles)) {
          mkdirSync(repo.path(at), { recursive: true });
          writeFileSync(join(repo.path(at), '.gitignore'), `${lines.join('\n')}\n`);
        }
        repo.git(
          'add',
          '-f',
          '--',
          'keep',
          ...Object.keys(ignoreFiles).map((at) => join(at, '.gitignore')),
        );
        repo.git('commit', '-q', '--allow-empty', '-m', 'x');
        for (const file of files) repo.write(file, '');
        const git = repo.runner;
        const rules = join(repo.scratch, 'rules');
        writeFileSync(
          rules,
          await baseIgnoreRules(git, { root: repo.root, base: 'HEAD' }),
          'latin1',
        );
        const others = (...args: string[]) => repo.git('ls-files', '-z', '--others', ...args);
        assert.equal(others(`--exclude-from=${rules}`), others('--exclude-standard'));
      }),
      { numRuns: 60 },
    );
  });
});
