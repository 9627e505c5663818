import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rm, rename, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorld, type JobWorld, type Tree } from './jobWorld.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff, 0x0d, 0x0a]);

const ODD_NAMES = [
  'ä ö.txt',
  '漢字.txt',
  '🎉.txt',
  'qu"ote.txt',
  '"start.txt',
  'tab\t.txt',
  'new\nline.txt',
  '-dash.txt',
  'a -> b',
  'x b/y',
  "it's",
  'back\\slash',
  ':(top)magic',
  '*.glob',
];

interface Case {
  readonly name: string;
  readonly base?: Tree;
  readonly config?: Record<string, string>;
  readonly user?: (world: JobWorld) => Promise<unknown>;
  readonly job: (world: JobWorld) => Promise<unknown>;
  /** What an accept of everything answers: `how` by path, or `!reason` for a conflict, or `-reason` for a skipped file. */
  readonly answer: Record<string, string>;
  /** Files afterwards, as far as they matter; null = absent. */
  readonly after?: Record<string, string | null>;
}

const CASES: readonly Case[] = [
  {
    name: 'a file that the user left alone is written',
    job: (w) => w.job({ 'a.txt': 'one\n2\nthree\n' }),
    answer: { 'a.txt': 'written' },
    after: { 'a.txt': '644 one\n2\nthree\n' },
  },
  {
    name: 'added, deleted and changed files in one accept, the tree being dirty elsewhere',
    base: { 'a.txt': LINES, 'gone/b.txt': 'b\n', 'c.txt': 'c\n' },
    user: (w) => w.user({ 'c.txt': 'mine\n', 'new.txt': 'mine\n' }),
    job: async (w) => {
      await w.job({ 'a.txt': 'x\n', 'deep/er/d.txt': 'd\n' });
      await rm(join(w.root, 'gone/b.txt'));
    },
    answer: { 'a.txt': 'written', 'deep/er/d.txt': 'written', 'gone/b.txt': 'deleted' },
    after: {
      'gone/b.txt': null,
      'deep/er/d.txt': '644 d\n',
      'c.txt': '644 mine\n',
      'new.txt': '644 mine\n',
    },
  },
  {
    name: 'disjoint edits are merged',
    base: { 'a.txt': LINES },
    user: (w) => w.user({ 'a.txt': LINES.replace('one', 'ONE') }),
    job: (w) => w.job({ 'a.txt': LINES.replace('seven', 'SEVEN') }),
    answer: { 'a.txt': 'merged' },
    after: { 'a.txt': `644 ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN')}` },
  },
  {
    name: 'overlapping edits refuse the whole selection',
    base: { 'a.txt': LINES, 'b.txt': 'b\n' },
    user: (w) => w.user({ 'a.txt': LINES.replace('two', 'mine') }),
    job: (w) => w.job({ 'a.txt': LINES.replace('two', 'theirs'), 'b.txt': 'changed\n' }),
    answer: { 'a.txt': '!overlap' },
    after: { 'a.txt': `644 ${LINES.replace('two', 'mine')}`, 'b.txt': '644 b\n' },
  },
  {
    name: 'the same change on both sides is nothing to do',
    user: (w) => w.user({ 'a.txt': 'same\n' }),
    job: (w) => w.job({ 'a.txt': 'same\n' }),
    answer: { 'a.txt': '-same' },
  },
  {
    name: 'the user deleted what the job changed',
    user: (w) => rm(join(w.repo, 'a.txt')),
    job: (w) => w.job({ 'a.txt': 'x\n' }),
    answer: { 'a.txt': '!deleted_by_user' },
    after: { 'a.txt': null },
  },
  {
    name: 'the job deleted what the user changed',
    user: (w) => w.user({ 'a.txt': 'mine\n' }),
    job: (w) => rm(join(w.root, 'a.txt')),
    answer: { 'a.txt': '!deleted_by_job' },
    after: { 'a.txt': '644 mine\n' },
  },
  {
    name: 'an untracked file of the user at an added path is a conflict',
    user: (w) => w.user({ 'new.txt': 'mine\n' }),
    job: (w) => w.job({ 'new.txt': 'theirs\n' }),
    answer: { 'new.txt': '!exists' },
    after: { 'new.txt': '644 mine\n' },
  },
  {
    name: 'an equal untracked file is nothing to do',
    user: (w) => w.user({ 'new.txt': 'same\n' }),
    job: (w) => w.job({ 'new.txt': 'same\n' }),
    answer: { 'new.txt': '-same' },
  },
  {
    name: 'an ignored file of the user at an added path is a conflict',
    user: (w) => w.user({ '.gitignore': 'x.log\n', 'x.log': 'mine\n' }),
    job: (w) => w.job({ 'x.log': 'theirs\n' }),
    answer: { 'x.log': '!exists' },
    after: { 'x.log': '644 mine\n' },
  },
  {
    name: 'binary files are written byte for byte; a binary deleted; text beside them',
    base: { 'p.png': PNG, 'q.bin': PNG, 'a.txt': 'a\n' },
    job: async (w) => {
      await w.job({ 'p.png': Buffer.concat([PNG, PNG]), 'a.txt': 'b\n' });
      await rm(join(w.root, 'q.bin'));
    },
    answer: { 'p.png': 'written', 'q.bin': 'deleted', 'a.txt': 'written' },
    after: { 'p.png': `644 ${Buffer.concat([PNG, PNG]).toString('latin1')}`, 'q.bin': null },
  },
  {
    name: 'a binary changed by both is a conflict',
    base: { 'p.png': PNG },
    user: (w) => w.user({ 'p.png': Buffer.concat([PNG, Buffer.from([1])]) }),
    job: (w) => w.job({ 'p.png': Buffer.concat([PNG, Buffer.from([2])]) }),
    answer: { 'p.png': '!binary' },
  },
  {
    name: 'a text marked as binary by attributes is not merged',
    base: { 'a.txt': LINES, '.gitattributes': 'a.txt -merge\n' },
    user: (w) => w.user({ 'a.txt': LINES.replace('one', 'ONE') }),
    job: (w) => w.job({ 'a.txt': LINES.replace('seven', 'SEVEN') }),
    answer: { 'a.txt': '!binary' },
  },
  {
    name: 'the executable bit is taken, and private permissions are kept',
    user: (w) => w.user({ 'a.txt': { content: 'one\ntwo\nthree\n', perm: 0o600 } }),
    job: (w) => w.job({ 'a.txt': { content: 'one\ntwo\nthree\n', perm: 0o755 } }),
    answer: { 'a.txt': 'mode' },
    after: { 'a.txt': '700 one\ntwo\nthree\n' },
  },
  {
    name: 'the executable bit is taken while the user has edited the text',
    user: (w) => w.user({ 'a.txt': 'mine\n' }),
    job: (w) => w.job({ 'a.txt': { content: 'one\ntwo\nthree\n', perm: 0o755 } }),
    answer: { 'a.txt': 'mode' },
    after: { 'a.txt': '755 mine\n' },
  },
  {
    name: 'the user set the executable bit, the job edited the text',
    user: (w) => w.user({ 'a.txt': { content: 'one\ntwo\nthree\n', perm: 0o755 } }),
    job: (w) => w.job({ 'a.txt': 'x\n' }),
    answer: { 'a.txt': 'written' },
    after: { 'a.txt': '755 x\n' },
  },
  {
    name: 'links are added and retargeted as links',
    base: { 'a.txt': 'a\n', l: { link: 'a.txt' } },
    job: (w) => w.job({ l: { link: 'b.txt' }, m: { link: '../outside' } }),
    answer: { l: 'symlink', m: 'symlink' },
    after: { l: '-> b.txt', m: '-> ../outside' },
  },
  {
    name: 'a file becomes a link and a link a file',
    base: { 'a.txt': 'a\n', l: { link: 'a.txt' } },
    job: (w) => w.job({ l: 'file\n', 'a.txt': { link: 'l' } }),
    answer: { l: 'written', 'a.txt': 'symlink' },
    after: { l: '644 file\n', 'a.txt': '-> l' },
  },
  {
    name: 'a link where the user has edited the file is a conflict',
    user: (w) => w.user({ 'a.txt': 'mine\n' }),
    job: (w) => w.job({ 'a.txt': { link: 'x' } }),
    answer: { 'a.txt': '!type' },
  },
  {
    name: 'a rename with an edit, merged with an edit of the user under the old name',
    base: { 'old name.txt': LINES },
    user: (w) => w.user({ 'old name.txt': LINES.replace('one', 'ONE') }),
    job: async (w) => {
      await rm(join(w.root, 'old name.txt'));
      await w.job({ 'new/name.txt': LINES.replace('seven', 'SEVEN') });
    },
    answer: { 'new/name.txt': 'renamed' },
    after: {
      'old name.txt': null,
      'new/name.txt': `644 ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN')}`,
    },
  },
  {
    name: 'a rename onto a file of the user is a conflict',
    base: { 'a.txt': LINES },
    user: (w) => w.user({ 'b.txt': 'mine\n' }),
    job: (w) => rename(join(w.root, 'a.txt'), join(w.root, 'b.txt')),
    answer: { 'b.txt': '!exists' },
    after: { 'a.txt': `644 ${LINES}`, 'b.txt': '644 mine\n' },
  },
  {
    name: 'the same rename on both sides is nothing to do',
    base: { 'a.txt': LINES },
    user: (w) => rename(join(w.repo, 'a.txt'), join(w.repo, 'b.txt')),
    job: (w) => rename(join(w.root, 'a.txt'), join(w.root, 'b.txt')),
    answer: { 'b.txt': '-same' },
  },
  {
    name: 'a rename in case only',
    base: { 'readme.md': LINES },
    job: (w) => rename(join(w.root, 'readme.md'), join(w.root, 'README.md')),
    answer: { 'README.md': 'renamed' },
    after: { 'readme.md': null, 'README.md': `644 ${LINES}` },
  },
  {
    name: 'a file becomes a folder',
    base: { thing: 'file\n' },
    job: async (w) => {
      await rm(join(w.root, 'thing'));
      await w.job({ 'thing/a.txt': 'completely different\n', 'thing/sub/b.txt': 'another\n' });
    },
    answer: { thing: 'deleted', 'thing/a.txt': 'written', 'thing/sub/b.txt': 'written' },
    after: { 'thing/a.txt': '644 completely different\n', 'thing/sub/b.txt': '644 another\n' },
  },
  {
    name: 'a folder becomes a file',
    base: { 'thing/a.txt': 'a\n', 'thing/sub/b.txt': 'b\n' },
    job: async (w) => {
      await rm(join(w.root, 'thing'), { recursive: true });
      await w.job({ thing: 'completely different file\n' });
    },
    answer: { thing: 'written', 'thing/a.txt': 'deleted', 'thing/sub/b.txt': 'deleted' },
    after: { thing: '644 completely different file\n' },
  },
  {
    name: 'a folder that holds more of the user than the job removed stays',
    base: { 'thing/a.txt': 'a\n' },
    user: (w) => w.user({ 'thing/mine.txt': 'mine\n' }),
    job: async (w) => {
      await rm(join(w.root, 'thing'), { recursive: true });
      await w.job({ thing: 'completely different file\n' });
    },
    answer: { thing: '!type' },
    after: { 'thing/a.txt': '644 a\n', 'thing/mine.txt': '644 mine\n' },
  },
  {
    name: 'an empty folder of the user is not replaced by a file',
    user: (w) => mkdir(join(w.repo, 'new.txt')),
    job: (w) => w.job({ 'new.txt': 'x\n' }),
    answer: { 'new.txt': '!type' },
  },
  {
    name: 'the user replaced the parent folder by a file',
    base: { 'dir/a.txt': 'a\n' },
    user: async (w) => {
      await rm(join(w.repo, 'dir'), { recursive: true });
      await w.user({ dir: 'mine\n' });
    },
    job: (w) => w.job({ 'dir/new.txt': 'x\n' }),
    answer: { 'dir/new.txt': '!type' },
    after: { dir: '644 mine\n' },
  },
  {
    name: 'a link of the user among the parents is never written through',
    user: async (w) => {
      await mkdir(join(w.dir, 'outside'));
      await w.user({ dir: { link: '../outside' } });
    },
    job: (w) => w.job({ 'dir/new.txt': 'x\n' }),
    answer: { 'dir/new.txt': '!forbidden' },
    after: { '../outside/new.txt': null },
  },
  {
    name: 'a link that the job replaced by a folder is replaced',
    base: { 'real/x': 'x\n', dir: { link: 'real' } },
    job: async (w) => {
      await rm(join(w.root, 'dir'));
      await w.job({ 'dir/new.txt': 'some new text\n' });
    },
    answer: { dir: 'deleted', 'dir/new.txt': 'written' },
    after: { 'dir/new.txt': '644 some new text\n', 'real/x': '644 x\n' },
  },
  {
    name: 'autocrlf: a one-line edit that the job made with LF keeps CRLF everywhere',
    config: { 'core.autocrlf': 'true' },
    base: { 'a.txt': LINES },
    job: (w) => w.job({ 'a.txt': LINES.replace('two', 'TWO') }),
    answer: { 'a.txt': 'written' },
    after: { 'a.txt': `644 ${LINES.replace('two', 'TWO').replaceAll('\n', '\r\n')}` },
  },
  {
    name: 'autocrlf: disjoint edits merge and keep CRLF',
    config: { 'core.autocrlf': 'true' },
    base: { 'a.txt': LINES },
    user: (w) => w.user({ 'a.txt': LINES.replace('one', 'ONE').replaceAll('\n', '\r\n') }),
    job: (w) => w.job({ 'a.txt': LINES.replace('seven', 'SEVEN') }),
    answer: { 'a.txt': 'merged' },
    after: {
      'a.txt': `644 ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN').replaceAll('\n', '\r\n')}`,
    },
  },
  {
    name: 'autocrlf: a file that the user keeps with LF stays LF',
    config: { 'core.autocrlf': 'true' },
    base: { 'a.txt': LINES },
    user: (w) => w.user({ 'a.txt': LINES }),
    job: (w) => w.job({ 'a.txt': LINES.replace('two', 'TWO') }),
    answer: { 'a.txt': 'written' },
    after: { 'a.txt': `644 ${LINES.replace('two', 'TWO')}` },
  },
  {
    name: 'CRLF in the repository without any setting stays CRLF, BOM and missing last line end too',
    base: { 'a.txt': '\u00ef\u00bb\u00bfone\r\ntwo\r\nthree' },
    job: (w) => w.job({ 'a.txt': '\u00ef\u00bb\u00bfone\r\n2\r\nthree' }),
    answer: { 'a.txt': 'written' },
  },
  {
    name: 'a job that rewrote CRLF as LF still merges with the user, in CRLF',
    base: { 'a.txt': LINES.replaceAll('\n', '\r\n') },
    user: (w) => w.user({ 'a.txt': LINES.replace('one', 'ONE').replaceAll('\n', '\r\n') }),
    job: (w) => w.job({ 'a.txt': LINES.replace('seven', 'SEVEN') }),
    answer: { 'a.txt': 'merged' },
    after: {
      'a.txt': `644 ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN').replaceAll('\n', '\r\n')}`,
    },
  },
  {
    name: 'a submodule pointer is reported and not written',
    job: async (w) => {
      w.runIn(w.root, 'init', '-q', 'sub');
      w.runIn(join(w.root, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'x');
    },
    answer: { sub: '-submodule' },
  },
  {
    name: 'a clone of the user inside the checkout is not written into',
    user: async (w) => {
      w.run('init', '-q', 'vendor/lib');
      await w.user({ 'vendor/lib/mine.txt': 'mine\n' });
    },
    job: (w) => w.job({ 'vendor/lib/new.txt': 'x\n' }),
    answer: { 'vendor/lib/new.txt': '!forbidden' },
    after: { 'vendor/lib/new.txt': null },
  },
  {
    name: 'odd file names',
    base: { 'a.txt': 'a\n' },
    job: (w) => w.job(Object.fromEntries(ODD_NAMES.map((name) => [name, `content of ${name}\n`]))),
    answer: Object.fromEntries(ODD_NAMES.map((name) => [name, 'written'])),
  },
];

describe('acceptChanges', function () {
  this.timeout(60_000);

  for (const test of CASES) {
    it(test.name, async () => {
      await withWorld(
        {
          ...(test.base ? { files: test.base } : {}),
          ...(test.config ? { config: test.config } : {}),
        },
        async (world) => {
          await test.user?.(world);
          await test.job(world);
          const before = await world.state();
          const untouchables = await world.untouchables();
          const dry = await world.accept({ dryRun: true });
          assert.equal(dry.status, 'dry-run');
          assert.deepEqual(await world.state(), before, 'a dry run writes nothing');
          const result = await world.accept();
          const conflicts = result.conflicts.map(({ path, reason }) => [path, `!${reason}`]);
          const applied = result.applied.map(({ path, how }) => [path, how]);
          const skipped = result.skipped.map(({ path, reason }) => [path, `-${reason}`]);
          assert.deepEqual(Object.fromEntries([...conflicts, ...applied, ...skipped]), test.answer);
          const state = await world.state();
          for (const [path, wanted] of Object.entries(test.after ?? {}))
            assert.equal(state[path] ?? null, wanted, path);
          assert.deepEqual(await world.untouchables(), untouchables);
          if (result.status === 'applied') {
            const undone = await world.undo();
            assert.equal(undone.status, 'undone');
          } else {
            assert.deepEqual(world.undoRefs(), []);
          }
          assert.deepEqual(
            await world.state(),
            before,
            'undo (or refusal) leaves every byte and mode as it was',
          );
        },
      );
    });
  }
});
