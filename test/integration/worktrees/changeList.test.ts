import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { baseContent } from '../../../src/bridge/worktrees/baseContent.ts';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import type { CreatedWorktree } from '../../../src/bridge/worktrees/furnishWorktree.ts';
import { readPatch } from '../../../src/bridge/worktrees/patch.ts';
import { noteSetupOutput } from '../../../src/bridge/worktrees/setupOutput.ts';
import { treeHash } from '../../../src/bridge/worktrees/treeHash.ts';
import { startIndexPath } from '../../../src/bridge/worktrees/worktreeMarker.ts';
import type { ChangedFile } from '../../../src/protocol/job.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import { hashTree, tempRepo, type TempRepo, type TempRepoOptions } from '../../support/tempRepo.ts';

const ODD_NAMES = [
  'ä ö.txt',
  '漢字.txt',
  '😀.txt',
  'quo"te.txt',
  "it's.txt",
  'tab\there.txt',
  'line\nend.txt',
  '-dash.txt',
  'a -> b.txt',
  'a b/c b/d.txt',
  ':(top)x.txt',
  ' lead and trail ',
  'star*[x]?.txt',
  'back\\slash.txt',
  '!bang',
  '#hash',
];

describe('change lists', function () {
  this.timeout(60_000);
  const repos: TempRepo[] = [];
  const start = async (
    options: TempRepoOptions,
    how: Parameters<typeof jobWorktree>[1] = {},
  ): Promise<{
    repo: TempRepo;
    tree: CreatedWorktree;
    put: (path: string, content: string | Buffer) => void;
    list: () => Promise<ChangedFile[]>;
  }> => {
    const repo = tempRepo(options);
    repos.push(repo);
    const tree = await jobWorktree(repo, how);
    return {
      repo,
      tree,
      put: (path, content) => repo.writeAt(join(tree.root, path), content),
      list: () => listChanges({ git: repo.runner, ...tree }),
    };
  };
  afterEach(() => {
    for (const repo of repos.splice(0)) repo.dispose();
  });
  const brief = (changes: readonly ChangedFile[]): string[] =>
    changes.map(({ path, oldPath, change, additions, deletions, binary }) =>
      [
        change,
        oldPath === null ? path : `${oldPath} => ${path}`,
        ...(binary ? ['binary'] : additions === null ? [] : [`+${additions} -${deletions ?? '?'}`]),
      ].join(' '),
    );

  it('has every kind of change, with counts, without a commit or the index of the worktree', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
    const { repo, tree, put, list } = await start({
      files: {
        'edit.txt': 'a\nb\nc\n',
        'gone.txt': 'x\n',
        'move.txt': long,
        'pure.txt': `pure\n${long}`,
        'run.sh': 'echo\n',
        'pic.png': Buffer.from([0x89, 0x50, 0, 1, 2]),
        'kind.txt': 'text\n',
        'folder/inner.txt': 'x\n',
        same: 'same',
      },
      // Would leave a shared index file in the git directory.
      config: { 'core.splitIndex': 'true', 'splitIndex.maxPercentChange': '0' },
    });
    put('edit.txt', 'a\nB\nc\nd\n');
    rmSync(join(tree.root, 'gone.txt'));
    rmSync(join(tree.root, 'move.txt'));
    put('sub/moved.txt', `${long}more\n`);
    renameSync(join(tree.root, 'pure.txt'), join(tree.root, 'pure2.txt'));
    chmodSync(join(tree.root, 'run.sh'), 0o755);
    put('pic.png', Buffer.from([0x89, 0x50, 0, 9]));
    rmSync(join(tree.root, 'kind.txt'));
    symlinkSync('edit.txt', join(tree.root, 'kind.txt'));
    rmSync(join(tree.root, 'folder'), { recursive: true });
    put('folder', 'a file now\n');
    put('new.txt', '1\n2\n');
    put('new.bin', Buffer.from([0, 1]));
    put('same', 'same');
    const indexBefore = hashTree(tree.gitDir);
    const objectsBefore = hashTree(repo.path('.git/objects'));
    assert.deepEqual(brief(await list()), [
      'modified edit.txt +2 -1',
      'added folder +1 -0',
      'deleted folder/inner.txt +0 -1',
      'deleted gone.txt +0 -1',
      'type kind.txt +1 -1',
      'added new.bin binary',
      'added new.txt +2 -0',
      'modified pic.png binary',
      'renamed pure.txt => pure2.txt +0 -0',
      'mode run.sh +0 -0',
      'renamed move.txt => sub/moved.txt +1 -0',
    ]);
    assert.equal(hashTree(tree.gitDir), indexBefore);
    assert.equal(
      hashTree(repo.path('.git/objects')),
      objectsBefore,
      'looking leaves no objects behind',
    );
  });

  it('sees the same whether or not the job staged, committed, stashed or switched', async () => {
    const { repo, tree, put, list } = await start({ files: { a: '1\n', b: '1\n' } });
    put('a', '2\n');
    put('c', '3\n');
    rmSync(join(tree.root, 'b'));
    const expected = ['modified a +1 -1', 'deleted b +0 -1', 'added c +1 -0'];
    assert.deepEqual(brief(await list()), expected);
    repo.gitIn(tree.root, 'add', 'c');
    assert.deepEqual(brief(await list()), expected);
    repo.gitIn(tree.root, 'add', '-A');
    repo.gitIn(tree.root, 'commit', '-q', '-m', 'by the job');
    assert.deepEqual(brief(await list()), expected);
    repo.gitIn(tree.root, 'checkout', '-q', '-b', 'other');
    assert.deepEqual(brief(await list()), expected);
  });

  it('has names as they are, on both sides', async () => {
    const files = Object.fromEntries(ODD_NAMES.map((name) => [name, `old ${name}\n`]));
    const { repo, tree, put, list } = await start({ files });
    for (const name of ODD_NAMES) put(name, `new ${name}\n`);
    for (const name of ODD_NAMES) put(`new/${name}`, `added\n`);
    const changes = await list();
    const sorted = (names: readonly string[]): string[] => [...names].sort();
    assert.deepEqual(
      sorted(changes.filter((change) => change.change === 'modified').map((change) => change.path)),
      sorted(ODD_NAMES),
    );
    assert.deepEqual(
      sorted(changes.filter((change) => change.change === 'added').map((change) => change.path)),
      sorted(ODD_NAMES.map((name) => `new/${name}`)),
    );
    const { base, repoRoot } = tree;
    for (const path of ODD_NAMES) {
      const side = await baseContent(repo.runner, { repoRoot, base, path });
      assert.equal(side?.content.toString('utf8'), `old ${path}\n`);
      const file = changes.find((change) => change.path === path);
      assert.ok(file);
      const { patch } = await readPatch({
        git: repo.runner,
        ...tree,
        files: [file],
        maxBytes: 10_000,
      });
      assert.equal(patch.toString('utf8').match(/^diff --git /gm)?.length, 1, path);
    }
    // A checkout takes the whole patch, so every name in it is right.
    const { patch } = await readPatch({ git: repo.runner, ...tree, maxBytes: 1_000_000 });
    writeFileSync(join(repo.scratch, 'patch'), patch);
    repo.git('apply', join(repo.scratch, 'patch'));
    assert.equal(hashTree(repo.root, isGit), hashTree(tree.root, isGit));
  });

  it('agrees with the files for any set of edits (property)', async () => {
    const names = ['a', 'b/c', 'b/d', 'e e', 'ü'];
    const content = fc.option(fc.constantFrom('', 'x\n', 'x\ny\n', 'long\n'.repeat(20)), {
      nil: null,
    });
    const state = fc.tuple(...names.map(() => content));
    await fc.assert(
      fc.asyncProperty(state, state, async (before, after) => {
        const at = (values: (string | null)[]) =>
          new Map(
            names.flatMap((name, i) => (typeof values[i] === 'string' ? [[name, values[i]]] : [])),
          );
        const [old, now] = [at(before), at(after)];
        const { repo, tree, put, list } = await start({
          files: { keep: 'k', ...Object.fromEntries(old) },
        });
        for (const name of names) {
          const text = now.get(name);
          if (text !== undefined) put(name, text);
          else rmSync(join(tree.root, name), { force: true });
        }
        // Git knows no empty folders.
        if (!now.has('b/c') && !now.has('b/d'))
          rmSync(join(tree.root, 'b'), { recursive: true, force: true });
        const touched = new Set(
          (await list()).flatMap((change) => [change.path, change.oldPath ?? change.path]),
        );
        const expected = names.filter((name) => old.get(name) !== now.get(name));
        assert.deepEqual([...touched].sort(), expected.sort());
        const { patch } = await readPatch({ git: repo.runner, ...tree, maxBytes: 1_000_000 });
        if (patch.length > 0) {
          writeFileSync(join(repo.scratch, 'patch'), patch);
          repo.git('apply', join(repo.scratch, 'patch'));
        }
        assert.equal(hashTree(repo.root, isGit), hashTree(tree.root, isGit));
      }),
      { numRuns: 12 },
    );
  });

  it('goes by the ignore rules of the base: what the job ignores is not hidden', async () => {
    const { put, list } = await start({
      files: { '.gitignore': '*.log\n/dist/\n', 'app/.gitignore': '/local\n!keep.log\n', a: '1' },
    });
    put('.gitignore', '*\n');
    put('sub/.gitignore', '*\n');
    put('sub/secret.ts', '1\n');
    put('hidden.ts', '1\n');
    put('x.log', '1\n');
    put('dist/out.js', '1\n');
    put('dist/more.js', '1\n');
    put('app/local', '1\n');
    put('app/keep.log', '1\n');
    put('local', '1\n');
    assert.deepEqual(brief(await list()), [
      'modified .gitignore +1 -2',
      'added app/keep.log +1 -0',
      'added hidden.ts +1 -0',
      'added local +1 -0',
      'added sub/.gitignore +1 -0',
      'added sub/secret.ts +1 -0',
      'ignored app/local',
      'ignored dist/',
      'ignored x.log',
    ]);
  });

  it('lists nested repositories, with or without commits, in place of failing or storing a pointer', async () => {
    const { repo, tree, put, list } = await start({ files: { a: '1', was: 'file' } });
    for (const name of ['empty', 'full', 'was']) {
      rmSync(join(tree.root, name), { force: true });
      mkdirSync(join(tree.root, name));
      repo.gitIn(join(tree.root, name), 'init', '-q');
      put(`${name}/file`, 'x');
    }
    repo.gitIn(join(tree.root, 'full'), 'add', '-A');
    repo.gitIn(join(tree.root, 'full'), 'commit', '-q', '-m', 'x');
    put('b', 'x\n');
    assert.deepEqual(brief(await list()), [
      'added b +1 -0',
      'deleted was +0 -1',
      'nested empty',
      'nested full',
      'nested was',
    ]);
    const { patch } = await readPatch({ git: repo.runner, ...tree, maxBytes: 10_000 });
    assert.doesNotMatch(patch.toString(), /Subproject/);
  });

  it('starts no program that a repository inside the tree names', async () => {
    const { repo, tree, put, list } = await start({ files: { a: '1' } });
    const trace = join(repo.scratch, 'trace');
    const nested = join(tree.root, 'nested');
    mkdirSync(nested);
    repo.gitIn(nested, 'init', '-q');
    repo.writeAt(join(nested, 'f'), 'x');
    repo.gitIn(nested, 'add', '-A');
    repo.gitIn(nested, 'commit', '-q', '-m', 'x');
    put('nested/.gitattributes', '* filter=evil\n');
    put('nested/f', 'y');
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.process',
      'diff.external',
    ]) {
      repo.gitIn(nested, 'config', key, `touch '${trace}'; cat`);
    }
    put('.gitattributes', '* diff=evil\n');
    repo.git('config', 'diff.evil.textconv', `touch '${trace}'; cat`);
    repo.git('config', 'diff.external', `touch '${trace}'; true`);
    put('a', '2');
    await list();
    await readPatch({ git: repo.runner, ...tree, maxBytes: 10_000 });
    await treeHash({ git: repo.runner, ...tree });
    assert.equal(existsSync(trace), false);
  });

  it('is not fooled by index flags, a forged time stamp or a same-size edit', async () => {
    const { repo, tree, put, list } = await start({
      files: { a: '1111', b: '1111', c: '1111', d: '1111' },
    });
    repo.gitIn(tree.root, 'update-index', '--assume-unchanged', 'a');
    repo.gitIn(tree.root, 'update-index', '--skip-worktree', 'b');
    // Git compares whole seconds: an edit in the very second of the check-out shows only by the stamp of the index, which
    // this test forges below.
    const second = (path: string) => Math.floor(statSync(path).ctimeMs / 1000);
    const probe = join(repo.scratch, 'probe');
    do {
      await delay(20);
      writeFileSync(probe, '');
    } while (second(probe) <= second(join(tree.root, 'd')));
    for (const name of ['a', 'b', 'c', 'd']) {
      const { atime, mtime } = statSync(join(tree.root, name));
      put(name, '2222');
      if (name === 'c') utimesSync(join(tree.root, name), atime, mtime);
    }
    // As if the files were older than the index, so that git goes by times alone.
    const soon = Date.now() / 1000 + 60;
    utimesSync(startIndexPath(tree.root), soon, soon);
    repo.git('config', 'core.trustctime', 'false');
    repo.git('config', 'core.checkStat', 'minimal');
    const paths = (await list()).map((change) => change.path);
    assert.deepEqual(paths, ['a', 'b', 'c', 'd']);
  });

  it('shows one changed line in a checkout with CRLF, and both sides with the same line ends', async () => {
    const { repo, tree, put, list } = await start({
      files: { 'a.txt': 'one\ntwo\nthree\n' },
      config: { 'core.autocrlf': 'true' },
    });
    put('a.txt', 'one\r\nTWO\r\nthree\r\n');
    assert.deepEqual(brief(await list()), ['modified a.txt +1 -1']);
    const { base, repoRoot } = tree;
    const side = await baseContent(repo.runner, { repoRoot, base, path: 'a.txt' });
    assert.equal(side?.content.toString(), 'one\r\ntwo\r\nthree\r\n');
  });

  it('shows a change of line ends only as one of every line, and none where git stores LF anyway', async () => {
    const { put, list } = await start({
      files: { 'raw.txt': 'a\nb\n', 'norm.txt': 'a\nb\n', '.gitattributes': 'norm.txt text\n' },
    });
    put('raw.txt', 'a\r\nb\r\n');
    put('norm.txt', 'a\r\nb\r\n');
    assert.deepEqual(brief(await list()), ['modified raw.txt +2 -2']);
  });

  it('lists included files only when they changed, and set-up output not at all', async () => {
    const { repo, tree, put, list } = await (async () => {
      const repo = tempRepo({ files: { a: '1', '.gitignore': '.env*\ncache/\nnode_modules/\n' } });
      repos.push(repo);
      repo.write('.env', 'A=1');
      repo.write('.env.test', 'B=1');
      repo.write('cache/x', '1');
      repo.write('cache/y', '1');
      const tree = await jobWorktree(repo, { include: ['.env*', 'cache/'] });
      return {
        repo,
        tree,
        put: (path: string, content: string) => repo.writeAt(join(tree.root, path), content),
        list: () => listChanges({ git: repo.runner, ...tree }),
      };
    })();
    put('node_modules/m/index.js', '1');
    await noteSetupOutput({ git: repo.runner, ...tree });
    assert.deepEqual(await list(), []);
    put('.env', 'A=2, longer');
    put('cache/z', 'new');
    assert.deepEqual(brief(await list()), ['ignored .env', 'ignored cache/z']);
  });

  it('has the whole tree of a sparse checkout as its base', async () => {
    const repo = tempRepo({ files: { 'in/a': '1', 'out/b': '2', top: '3' } });
    repos.push(repo);
    repo.git('sparse-checkout', 'set', 'in');
    const tree = await jobWorktree(repo);
    assert.deepEqual(await listChanges({ git: repo.runner, ...tree }), []);
    repo.writeAt(join(tree.root, 'in/a'), '2');
    assert.deepEqual(brief(await listChanges({ git: repo.runner, ...tree })), [
      'modified in/a +1 -1',
    ]);
  });

  it('throws when it cannot tell, never an empty list', async () => {
    const { repo, tree, put } = await start({ files: { a: '1' } });
    put('a', '2');
    const unknown = { git: repo.runner, root: tree.root, base: '1'.repeat(40) };
    await assert.rejects(listChanges(unknown), (error) => BridgeError.is(error, 'git_failed'));
    await assert.rejects(readPatch({ ...unknown, maxBytes: 1 }), (error) =>
      BridgeError.is(error, 'git_failed'),
    );
    writeFileSync(join(tree.root, '.git'), 'gitdir: /nowhere\n');
    const broken = listChanges({ git: repo.runner, ...tree });
    await assert.rejects(broken, (error) => BridgeError.is(error, 'worktree_gone'));
  });

  it('gives a patch with whole binary content that a checkout takes, also cut and for single files', async () => {
    const image = Buffer.from(Array.from({ length: 2000 }, (_, at) => (at * 7) % 256));
    const { repo, tree, put, list } = await start({
      files: { 'x.png': image, 'old.bin': image, 'a.txt': 'a\n' },
    });
    put('x.png', Buffer.concat([image, image]));
    rmSync(join(tree.root, 'old.bin'));
    put('a.txt', 'b\n');
    put('latin.txt', Buffer.from([0xe4, 0x0a]));
    const { patch, truncated } = await readPatch({
      git: repo.runner,
      ...tree,
      maxBytes: 1_000_000,
    });
    assert.equal(truncated, false);
    writeFileSync(join(repo.scratch, 'patch'), patch);
    repo.git('apply', join(repo.scratch, 'patch'));
    assert.equal(hashTree(repo.root, isGit), hashTree(tree.root, isGit));
    const only = (await list()).filter((change) => change.path === 'a.txt');
    const one = await readPatch({ git: repo.runner, ...tree, files: only, maxBytes: 1_000_000 });
    assert.match(one.patch.toString(), /^diff --git a\/a\.txt b\/a\.txt\n/);
    assert.equal(one.patch.toString().match(/diff --git/g)?.length, 1);
    const none = await readPatch({ git: repo.runner, ...tree, files: [], maxBytes: 1_000_000 });
    assert.equal(none.patch.length, 0);
    const cut = await readPatch({ git: repo.runner, ...tree, maxBytes: 400 });
    assert.equal(cut.truncated, true);
    assert.ok(cut.patch.length <= 400 && cut.patch.toString().endsWith('\n'));
  });

  it('has a hash that changes with any content, untracked and ignored too', async () => {
    const { repo, tree, put } = await start({ files: { a: '1', '.gitignore': '*.log\n' } });
    const hash = async () => (await treeHash({ git: repo.runner, ...tree })).hash;
    const seen = new Set([await hash()]);
    assert.ok(seen.has(await hash()), 'the same tree has the same hash');
    for (const [path, content] of [
      ['a', '2'],
      ['new', '1'],
      ['x.log', '1'],
      ['x.log', '22'],
    ] as const) {
      put(path, content);
      const now = await hash();
      assert.ok(!seen.has(now), path);
      seen.add(now);
    }
  });
});

function isGit(path: string): boolean {
  return path === '.git';
}
