import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import * as fc from 'fast-check';
import { after, before, beforeEach, describe, it } from 'mocha';
import { ToolRefusal } from '../../../../../../src/bridge/runners/loop/tools/toolRefusal.ts';
import {
  workPath,
  writablePath,
} from '../../../../../../src/bridge/runners/loop/tools/workPath.ts';
import { hashTree } from '../../../../../support/tempRepo.ts';
import { toolFolder, type ToolFolder } from './toolBoxFixture.ts';

describe('paths of the loop tools', function () {
  this.timeout(30_000);
  let folder: ToolFolder;
  before(() => {
    folder = toolFolder({
      'a.txt': 'a',
      'sub/b.txt': 'b',
      '-dash': 'd',
      'with space': 's',
      'line\nbreak': 'n',
      größe: 'u',
      inner: { link: 'sub' },
      out: { link: '..' },
      'absolute-out': { link: '/etc' },
      dangling: { link: '../not-yet' },
      round: { link: 'round' },
      '.git/config': 'x',
      'module/.git': { link: '../sub' },
    });
    mkdirSync(join(folder.scratch, 'work-more'));
    writeFileSync(join(folder.scratch, 'secret'), 'secret');
  });
  after(() => folder.dispose());

  const inside: readonly [string, string][] = [
    ['.', '.'],
    ['a.txt', 'a.txt'],
    ['./sub/../a.txt', 'a.txt'],
    ['inner/b.txt', 'sub/b.txt'],
    ['inner/new/deep.txt', 'sub/new/deep.txt'],
    ['new/deep.txt', 'new/deep.txt'],
    ['-dash', '-dash'],
    ['with space', 'with space'],
    ['line\nbreak', 'line\nbreak'],
    ['größe', 'größe'],
    ['~/x', '~/x'],
    ['..x/y', '..x/y'],
    ['out/work/a.txt', 'a.txt'],
    ['a.txt/below', 'a.txt/below'],
  ];
  for (const [input, path] of inside) {
    it(`takes ${JSON.stringify(input)}`, async () => {
      const found = await workPath(folder.root, input);
      assert.deepEqual(found, { absolute: join(folder.root, path), path });
    });
  }
  it('takes an absolute path of the folder', async () => {
    assert.equal((await workPath(folder.root, folder.path('a.txt'))).path, 'a.txt');
    assert.equal((await workPath(folder.root, folder.root)).path, '.');
  });

  const refused = [
    '', '..', '../secret', '/', '/etc/passwd', 'sub/../../secret', 'out/secret', 'out/new-file', 'absolute-out/new',
    '../work-more/x', 'dangling', 'dangling/x', 'round', 'a\0b', 'x/'.repeat(3000),
    'x'.repeat(300),
  ]; // prettier-ignore
  for (const input of refused) {
    it(`refuses ${JSON.stringify(input.slice(0, 40))}`, async () => {
      await assert.rejects(workPath(folder.root, input), ToolRefusal);
    });
  }

  const gits = [
    '.git',
    '.git/config',
    '.GIT/x',
    'sub/.git/hooks/x',
    'module/.git/x',
    '.git ',
    'git~1/x',
    'out/work/.git/x',
  ];
  for (const input of gits) {
    it(`does not write ${JSON.stringify(input)}`, async () => {
      await assert.rejects(writablePath(folder.root, input), ToolRefusal);
    });
  }
  it('writes what only looks like it', async () => {
    for (const input of ['.gitignore', '.github/x', 'a.git/x', '.gitmodules']) {
      assert.equal((await writablePath(folder.root, input)).path, input);
    }
  });

  it('writes nothing outside, whatever the path and wherever links lead', async () => {
    const name = fc.constantFrom('a', 'b', 'c', '..', '.', '', 'é', ' ', '-x');
    const path = fc
      .tuple(fc.constantFrom('', '/', './', '../', '/ROOT/'), fc.array(name, { maxLength: 5 }))
      .map(([start, names]) => start + names.join('/'));
    const link = fc.record({
      at: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
      target: fc.constantFrom(
        '..',
        '../..',
        '../outside',
        '../outside/new',
        '.',
        'a',
        '/OUTSIDE',
        '/ROOT/a',
        '/ROOT',
      ),
    });
    const world = toolFolder();
    const outside = join(world.scratch, 'outside');
    const real = (text: string): string =>
      text.replace('/ROOT', world.root).replace('/OUTSIDE', outside);
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(link, { maxLength: 4 }), path, async (links, input) => {
          for (const each of readdirSync(world.scratch)) {
            rmSync(join(world.scratch, each), { recursive: true });
          }
          for (const each of ['work', 'outside']) mkdirSync(join(world.scratch, each));
          for (const { at, target } of links) {
            const place = world.path(...at);
            try {
              mkdirSync(join(place, '..'), { recursive: true });
              symlinkSync(real(target), place);
            } catch {
              // A link of before is in the way: the layout is one link poorer.
            }
          }
          const before = hashTree(world.scratch, (each) => each === 'work');
          const outcome = await world.call('write_file', { path: real(input), content: 'x' });
          assert.equal(
            hashTree(world.scratch, (each) => each === 'work'),
            before,
          );
          if (outcome.wrote === undefined) {
            assert.equal(outcome.isError, true);
            return;
          }
          const written = world.path(outcome.wrote);
          assert.equal(relative(world.root, realpathSync(written)), outcome.wrote);
          assert.equal(existsSync(written) && lstatSync(written).isFile(), true);
        }),
        { numRuns: 300 },
      );
    } finally {
      world.dispose();
    }
  });

  describe('a folder that is reached through a link', () => {
    let linked: string;
    beforeEach(() => {
      linked = join(folder.scratch, 'linked');
      rmSync(linked, { force: true });
      symlinkSync(folder.root, linked);
    });
    it('is one with its real path', async () => {
      const outcome = await folder.call(
        'read_file',
        { path: join(linked, 'a.txt') },
        { cwd: linked },
      );
      assert.deepEqual(outcome, {
        text: '[file a.txt | lines 1-1 of 1 | no newline at the end]\n1\ta',
        isError: false,
      });
    });
  });
});
