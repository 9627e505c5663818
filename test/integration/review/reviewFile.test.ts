import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MAX_REVIEW_FILE_BYTES } from '../../../src/protocol/ui/maxReviewFileBytes.ts';
import { REVIEWER, type ReviewWorld, reviewWorld } from '../../support/reviewWorld.ts';

const read = async (world: ReviewWorld, id: string, path: string, side: 'base' | 'job' = 'job') =>
  world.reviews.file(id, { path, side, isStatOnly: false });
const text = async (world: ReviewWorld, id: string, path: string, side: 'base' | 'job' = 'job') =>
  (await read(world, id, path, side)).content?.toString('latin1') ?? null;

describe('review_file', function () {
  this.timeout(60_000);

  describe('both sides', () => {
    let world: ReviewWorld;
    let id = '';
    let root = '';
    const ODD = ['ümläut ✓.txt', 'with space.txt', '-dash', 'new\nline.txt', 'quote".txt', '*.txt'];

    before(async () => {
      world = reviewWorld({
        files: {
          'a.txt': 'a\n',
          'gone.txt': 'gone\n',
          'crlf.txt': 'one\r\ntwo\r\n',
          'run.sh': { executable: '#!/bin/sh\n' },
          link: { link: 'a.txt' },
          'sub/deep.txt': 'deep\n',
        },
        config: { 'core.autocrlf': 'false' },
      });
      const job = await world.job({
        writes: {
          'a.txt': 'A\n',
          'gone.txt': null,
          'bin.dat': Buffer.from([0, 255, 254, 10, 0]),
          'out.txt': { link: '/etc/hostname' },
          ...Object.fromEntries(ODD.map((name) => [name, `content of ${name}`])),
        },
        more: (tree) => {
          chmodSync(join(tree, 'a.txt'), 0o755);
          mkdirSync(join(tree, 'inner'));
          writeFileSync(join(tree, 'inner/x.txt'), 'x');
          execFileSync('git', ['init', '-q'], { cwd: join(tree, 'inner'), env: world.env });
        },
      });
      ({ id, root } = job);
    });
    after(() => world.dispose());

    for (const name of ODD) {
      it(`${JSON.stringify(name)} is found by its name alone`, async () => {
        assert.equal((await read(world, id, name)).content?.toString('utf8'), `content of ${name}`);
        assert.equal((await read(world, id, name, 'base')).exists, false);
      });
    }

    it('content, size, mode and time; the base has the time of the start', async () => {
      const job = await read(world, id, 'a.txt');
      assert.equal(job.content?.toString(), 'A\n');
      assert.equal(job.mode, '100755');
      assert.equal(job.sizeBytes, 2);
      assert.equal(job.mtimeMs, statSync(join(root, 'a.txt')).mtimeMs);
      const base = await read(world, id, 'a.txt', 'base');
      assert.deepEqual(
        [base.content?.toString(), base.mode, base.mtimeMs],
        ['a\n', '100644', Date.parse('2026-01-01T00:00:01.000Z')],
      );
      assert.equal(await text(world, id, 'crlf.txt', 'base'), 'one\r\ntwo\r\n');
      assert.equal((await read(world, id, 'run.sh', 'base')).mode, '100755');
      assert.equal(await text(world, id, 'bin.dat'), '\0\xff\xfe\n\0');
    });

    it('facts alone come without content', async () => {
      const facts = await world.reviews.file(id, { path: 'a.txt', side: 'job', isStatOnly: true });
      assert.deepEqual([facts.exists, facts.content, facts.sizeBytes], [true, null, 2]);
    });

    it('what is deleted is not there on the side of the job', async () => {
      assert.equal((await read(world, id, 'gone.txt')).exists, false);
      assert.equal(await text(world, id, 'gone.txt', 'base'), 'gone\n');
      assert.equal((await read(world, id, 'nowhere/at/all.txt')).exists, false);
    });

    it('a link is its target, never what it points to', async () => {
      const link = await read(world, id, 'out.txt');
      assert.deepEqual(
        [link.content?.toString(), link.isLink, link.mode],
        ['/etc/hostname', true, '120000'],
      );
      const base = await read(world, id, 'link', 'base');
      assert.deepEqual([base.content?.toString(), base.isLink], ['a.txt', true]);
    });

    const outside = [
      '../a.txt',
      '/etc/hostname',
      'sub/../../a.txt',
      './a.txt',
      '.git',
      '.git/config',
      '.GIT/config',
      'sub/.git/config',
      'a.txt/',
      'sub//deep.txt',
      'a\0.txt',
      'inner/x.txt',
    ];
    for (const path of outside) {
      it(`${JSON.stringify(path)} is refused on the side of the job`, async () => {
        await assert.rejects(read(world, id, path), { kind: 'bad_argument' });
      });
    }
    for (const path of outside.slice(0, -1)) {
      it(`${JSON.stringify(path)} is refused on the side of the base`, async () => {
        await assert.rejects(read(world, id, path, 'base'), { kind: 'bad_argument' });
      });
    }

    it('a folder is no file', async () => {
      await assert.rejects(read(world, id, 'sub'), { kind: 'bad_argument' });
      await assert.rejects(read(world, id, 'sub', 'base'), { kind: 'bad_argument' });
    });
  });

  describe('a hostile tree', () => {
    let world: ReviewWorld;
    afterEach(() => world.dispose());

    it('a folder that is a link is not gone through', async () => {
      world = reviewWorld({ files: { 'sub/deep.txt': 'deep\n' } });
      const secret = join(world.repo.scratch, 'secret');
      mkdirSync(secret);
      writeFileSync(join(secret, 'deep.txt'), 'secret');
      const job = await world.job({
        more: (root) => {
          rmSync(join(root, 'sub'), { recursive: true });
          symlinkSync(secret, join(root, 'sub'));
        },
      });
      await assert.rejects(read(world, job.id, 'sub/deep.txt'), { kind: 'bad_argument' });
      await assert.rejects(world.reviews.saveFile(job.id, 'sub/deep.txt', Buffer.from('evil')), {
        kind: 'bad_argument',
      });
      assert.equal(readFileSync(join(secret, 'deep.txt'), 'utf8'), 'secret');
      assert.equal(await text(world, job.id, 'sub'), secret, 'the link itself can be looked at');
    });

    it('a pipe is refused and not waited for', async () => {
      world = reviewWorld();
      const job = await world.job({
        writes: { 'a.txt': 'A\n' },
        more: (root) => execFileSync('mkfifo', [join(root, 'pipe')]),
      });
      await assert.rejects(read(world, job.id, 'pipe'), { kind: 'bad_argument' });
    });

    it('a tree that was moved away, or has become another repository, is gone and says so', async () => {
      world = reviewWorld();
      const job = await world.job({ writes: { 'a.txt': 'A\n' } });
      renameSync(job.root, `${job.root}-away`);
      await assert.rejects(read(world, job.id, 'a.txt'), { kind: 'worktree_gone' });
      const state = await world.reviews.state(job.id);
      assert.equal(state.root, null);
      assert.match(state.note ?? '', /is gone/);
      assert.deepEqual(
        state.files.map((file) => file.path),
        ['a.txt'],
      );
      assert.equal(await text(world, job.id, 'a.txt', 'base'), 'a\n');
    });
  });

  describe('limits and places', () => {
    let world: ReviewWorld;
    afterEach(() => world.dispose());

    it('what an editor would not open is refused with its size, on both sides', async () => {
      world = reviewWorld();
      world.repo.write('big.bin', '');
      truncateSync(world.repo.path('big.bin'), MAX_REVIEW_FILE_BYTES + 1);
      world.repo.commit({}, 'big');
      const job = await world.job({ writes: { 'a.txt': 'A\n' } });
      await assert.rejects(read(world, job.id, 'big.bin'), {
        kind: 'not_supported',
        message: /50 MB/,
      });
      await assert.rejects(read(world, job.id, 'big.bin', 'base'), {
        kind: 'not_supported',
        message: /50 MB/,
      });
      const facts = await world.reviews.file(job.id, {
        path: 'big.bin',
        side: 'job',
        isStatOnly: true,
      });
      assert.equal(facts.sizeBytes, MAX_REVIEW_FILE_BYTES + 1);
    });

    it('after accept or reject the files are read from where they are kept, and then not any more', async () => {
      world = reviewWorld();
      const job = await world.job({
        writes: { 'a.txt': 'A\n', link: { link: 'b.txt' }, 'c.txt': null },
      });
      await world.reviews.accept(job.id, REVIEWER);
      assert.equal(existsSync(job.root), false);
      assert.equal(await text(world, job.id, 'a.txt'), 'A\n');
      assert.equal(await text(world, job.id, 'link'), 'b.txt');
      assert.equal((await read(world, job.id, 'c.txt')).exists, false);
      assert.equal(await text(world, job.id, 'c.txt', 'base'), 'c\n');
      const state = await world.reviews.state(job.id);
      assert.ok(state.files.every((file) => file.decision === 'taken'));
      assert.match(state.note ?? '', /accepted/);
      world.repo.git('update-ref', '-d', `refs/delegate/rejected/${job.id}`);
      await assert.rejects(read(world, job.id, 'a.txt'), { kind: 'worktree_gone' });
    });

    it('a job in the checkout itself is shown as it left it, whatever the user did since', async () => {
      world = reviewWorld();
      world.repo.write('b.txt', 'mine before\n');
      const job = await world.jobInPlace({ writes: { 'a.txt': 'A\n', 'b.txt': 'job\n' } });
      world.repo.write('a.txt', 'mine after\n');
      assert.equal(await text(world, job.id, 'a.txt'), 'A\n');
      assert.equal(await text(world, job.id, 'b.txt', 'base'), 'mine before\n');
      await assert.rejects(world.reviews.saveFile(job.id, 'a.txt', Buffer.from('x')), {
        kind: 'not_supported',
      });
    });

    it('a job that still runs has no sides yet', async () => {
      world = reviewWorld();
      const job = await world.job({ writes: { 'a.txt': 'A\n' }, record: { status: 'running' } });
      await assert.rejects(read(world, job.id, 'a.txt'), { kind: 'wrong_state' });
    });
  });

  describe('save_review_file', () => {
    let world: ReviewWorld;
    afterEach(() => world.dispose());
    const save = async (id: string, path: string, content: string) =>
      world.reviews.saveFile(id, path, Buffer.from(content));

    it('writes the file with its mode, counts anew, and says that the gate has not seen it', async () => {
      world = reviewWorld();
      const job = await world.job({
        writes: { 'run.sh': { executable: 'one\n' } },
        isGated: true,
      });
      assert.equal((await world.reviews.state(job.id)).gateCovers, 'exact');
      const before = world.store.revision();
      const saved = await save(job.id, 'run.sh', 'one\ntwo\nthree\n');
      assert.deepEqual(saved, {
        sizeBytes: 14,
        mtimeMs: statSync(join(job.root, 'run.sh')).mtimeMs,
      });
      assert.equal(statSync(join(job.root, 'run.sh')).mode & 0o777, 0o755);
      const record = world.bridge.job(job.id);
      assert.equal(record.filesChanged[0]?.additions, 3);
      assert.equal(record.gate?.covers, 'edited');
      assert.ok(world.store.revision() > before, 'whoever watches hears of it');
      assert.equal((await world.reviews.state(job.id)).gateCovers, 'edited');
      await save(job.id, 'run.sh', 'one\n');
      assert.equal((await world.reviews.state(job.id)).gateCovers, 'exact');
      assert.deepEqual(
        (await world.reviews.state(job.id)).files.map((file) => file.path),
        ['run.sh'],
        'nothing is left beside it',
      );
    });

    it('what no editor would show is not written', async () => {
      world = reviewWorld();
      const job = await world.job({ writes: { 'a.txt': 'A\n' } });
      const large = Buffer.alloc(MAX_REVIEW_FILE_BYTES + 1);
      await assert.rejects(world.reviews.saveFile(job.id, 'a.txt', large), {
        kind: 'not_supported',
      });
      assert.equal(readFileSync(join(job.root, 'a.txt'), 'utf8'), 'A\n');
    });

    it('what is edited is what is accepted', async () => {
      world = reviewWorld();
      const job = await world.job({ writes: { 'a.txt': 'A\n' }, isGated: true });
      await save(job.id, 'a.txt', 'Edited\n');
      const { job: accepted } = await world.reviews.accept(job.id, REVIEWER);
      assert.equal(world.repo.read('a.txt'), 'Edited\n');
      assert.equal(accepted.gate?.covers, 'edited');
    });

    it('a file that the job deleted can be brought back', async () => {
      world = reviewWorld({ files: { 'sub/deep/x.txt': 'x\n', 'a.txt': 'a\n' } });
      const job = await world.job({
        writes: { 'a.txt': 'A\n' },
        more: (root) => rmSync(join(root, 'sub'), { recursive: true }),
      });
      await save(job.id, 'sub/deep/x.txt', 'x\n');
      const { files } = await world.reviews.state(job.id);
      assert.deepEqual(
        files.map((file) => file.path),
        ['a.txt'],
      );
    });

    it('a hard link to a file elsewhere leaves that one alone', async () => {
      world = reviewWorld();
      const elsewhere = join(world.repo.scratch, 'elsewhere.txt');
      writeFileSync(elsewhere, 'mine\n');
      const job = await world.job({ more: (root) => linkSync(elsewhere, join(root, 'x.txt')) });
      await save(job.id, 'x.txt', 'new\n');
      assert.equal(readFileSync(elsewhere, 'utf8'), 'mine\n');
    });

    const refused = [
      'link',
      'sub',
      '.git',
      '.git/hooks/post-checkout',
      '../x',
      '/tmp/x',
      'inner/x',
    ];
    for (const path of refused) {
      it(`does not write ${path}`, async () => {
        world = reviewWorld({ files: { 'a.txt': 'a\n', 'sub/x.txt': 'x\n' } });
        const job = await world.job({
          writes: { 'a.txt': 'A\n', link: { link: '../../../home/.bashrc' } },
          more: (root) => {
            mkdirSync(join(root, 'inner'));
            execFileSync('git', ['init', '-q'], { cwd: join(root, 'inner'), env: world.env });
          },
        });
        const before = world.repo.fingerprint();
        await assert.rejects(save(job.id, path, 'evil'), { kind: 'bad_argument' });
        assert.deepEqual(world.repo.fingerprint(), before);
        assert.equal(existsSync(join(world.repo.home, '.bashrc')), false);
      });
    }

    it('nothing is written to a job that runs, is decided, or in whose tree another one works', async () => {
      world = reviewWorld();
      const running = await world.job({
        writes: { 'a.txt': 'A\n' },
        record: { status: 'running' },
      });
      await assert.rejects(save(running.id, 'a.txt', 'x'), { kind: 'wrong_state' });
      const job = await world.job({ writes: { 'a.txt': 'A\n' } });
      const resumed = world.recordOf({ status: 'queued', worktree: job.worktree });
      world.insert(resumed, { task: 'More' });
      await assert.rejects(save(job.id, 'a.txt', 'x'), { kind: 'wrong_state' });
      assert.equal(readFileSync(join(job.root, 'a.txt'), 'utf8'), 'A\n');
      const decided = await world.job({
        writes: { 'a.txt': 'A\n' },
        record: {
          review: { status: 'abandoned', by: 'x', at: null, files: [], dropped: [] },
        },
      });
      await assert.rejects(save(decided.id, 'a.txt', 'x'), { kind: 'wrong_state' });
    });
  });
});
