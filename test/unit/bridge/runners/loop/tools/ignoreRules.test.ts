import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import {
  ignoreRules,
  isIgnored,
  type IgnoreRule,
} from '../../../../../../src/bridge/runners/loop/tools/ignoreRules.ts';
import { tempRepo, type TempRepo } from '../../../../../support/tempRepo.ts';

/** As a walk asks: what lies in an ignored folder is ignored. */
function isLeftOut(rules: readonly IgnoreRule[], path: string): boolean {
  const names = path.split('/');
  return names.some((_, at) =>
    isIgnored(rules, names.slice(0, at + 1).join('/'), at < names.length - 1),
  );
}

describe('rules of .gitignore files', function () {
  this.timeout(60_000);
  let repo: TempRepo;
  before(() => {
    repo = tempRepo();
  });
  after(() => repo.dispose());

  const gitIgnores = (path: string): boolean => {
    const { status, stderr } = spawnSync('git', ['check-ignore', '--no-index', '-q', path], {
      cwd: repo.root,
      env: repo.env,
      encoding: 'utf8',
    });
    assert.ok(status === 0 || status === 1, stderr);
    return status === 0;
  };

  const table: readonly [string, string, boolean][] = [
    ['*.log', 'a/b.log', true],
    ['/a.log', 'x/a.log', false],
    ['a/*.log', 'a/b.log', true],
    ['a/*.log', 'x/a/b.log', false],
    ['dist/', 'x/dist/y', true],
    ['dist/', 'dist', false],
    ['**/tmp/**', 'x/tmp/y', true],
    ['a/**/z', 'a/z', true],
    ['a/**', 'a', false],
    ['*.log\n!keep.log', 'keep.log', false],
    ['dir/\n!dir/keep', 'dir/keep', true],
    ['# comment', '# comment', false],
    ['\\#x', '#x', true],
    ['\\!x', '!x', true],
    ['x  ', 'x', true],
    ['x\\ ', 'x ', true],
    ['[a-c].t', 'b.t', true],
    ['[^a-c].t', 'b.t', false],
    ['\\*', 'x', false],
    ['\\*', '*', true],
  ];
  for (const [text, path, isOut] of table) {
    it(`${JSON.stringify(text)} ${isOut ? 'ignores' : 'leaves'} ${JSON.stringify(path)}, as git has it`, () => {
      repo.write('.gitignore', text);
      assert.equal(isLeftOut(ignoreRules(text, '.'), path), isOut);
      assert.equal(gitIgnores(path), isOut);
    });
  }

  it('takes no long time for lines that mean harm', () => {
    const started = performance.now();
    for (const line of [
      `${' '.repeat(300_000)}x`,
      '['.repeat(300_000),
      '*a'.repeat(499),
      '**/'.repeat(333),
    ]) {
      isIgnored(ignoreRules(line, '.'), 'a/'.repeat(200) + 'a'.repeat(200), false);
    }
    assert.ok(performance.now() - started < 5_000);
  });

  it('ignores what git ignores, for any rules in two folders', () => {
    const part = fc.constantFrom('a', 'b', '*', '**', 'a*', '?', '[ab]', '*b');
    const rule = fc
      .tuple(
        fc.boolean(),
        fc.boolean(),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
      )
      .map(
        ([isNegated, isRooted, parts, isFolder]) =>
          `${isNegated ? '!' : ''}${isRooted ? '/' : ''}${parts.join('/')}${isFolder ? '/' : ''}`,
      );
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rules, rules, path, (outer, inner, names) => {
        repo.write('.gitignore', outer);
        repo.write('a/.gitignore', inner);
        const name = names.join('/');
        // A file in the place of the folder that has the inner rules is no path here.
        fc.pre(name !== 'a');
        const outerRules = ignoreRules(outer, '.');
        // git does not look into a folder that is ignored.
        const innerRules = isIgnored(outerRules, 'a', true) ? [] : ignoreRules(inner, 'a');
        const all = [...outerRules, ...innerRules];
        assert.equal(isLeftOut(all, name), gitIgnores(name));
      }),
      { numRuns: 150 },
    );
  });
});
