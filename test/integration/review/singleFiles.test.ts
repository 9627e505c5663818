import { afterEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { groupOf } from '../../../src/protocol/jobGroup.ts';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { REVIEWER, type ReviewWorld, reviewWorld } from '../../support/reviewWorld.ts';

const THREE = { 'a.txt': 'A\n', 'b.txt': 'B\n', 'new.txt': 'N\n' };

describe('review of single files', function () {
  this.timeout(60_000);
  let world: ReviewWorld;
  afterEach(() => world.dispose());

  const word = (job: JobRecord) => {
    const { status, files, dropped } = job.review;
    return {
      status,
      files: [...files].sort(),
      dropped: [...dropped].sort(),
      group: groupOf(job),
      kept: job.worktree?.kept,
    };
  };
  const refs = (): string =>
    world.repo.git('for-each-ref', '--format=%(refname)', 'refs/delegate/rejected').trim();

  it('an accept leaves out what was dropped; with that everything is decided, and all of it can be had back', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    const dropped = await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
    assert.deepEqual(word(dropped), {
      status: 'pending',
      files: [],
      dropped: ['b.txt'],
      group: 'review',
      kept: true,
    });
    assert.equal(world.repo.read('b.txt'), 'b\n');

    const { job: accepted, result } = await world.reviews.accept(job.id, REVIEWER);
    assert.deepEqual(result.applied.map((file) => file.path).sort(), ['a.txt', 'new.txt']);
    assert.deepEqual(word(accepted), {
      status: 'partly',
      files: ['a.txt', 'new.txt'],
      dropped: ['b.txt'],
      group: 'finished',
      kept: false,
    });
    assert.equal(world.repo.read('b.txt'), 'b\n');
    assert.equal(world.repo.read('a.txt'), 'A\n');
    assert.equal(existsSync(job.root), false);
    assert.ok(refs().endsWith(job.id));

    const { job: undone } = await world.reviews.undoAccept(job.id, REVIEWER);
    assert.deepEqual(word(undone), {
      status: 'pending',
      files: [],
      dropped: ['b.txt'],
      group: 'review',
      kept: true,
    });
    assert.equal(world.repo.read('a.txt'), 'a\n');
    assert.equal(existsSync(world.repo.path('new.txt')), false);
    const state = await world.reviews.state(job.id);
    assert.deepEqual(state.files.map(({ path, decision }) => [path, decision]).sort(), [
      ['a.txt', 'open'],
      ['b.txt', 'dropped'],
      ['new.txt', 'open'],
    ]);
  });

  it('a file that is named is taken although it was dropped', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt', 'a.txt'] });
    const { job: accepted } = await world.reviews.accept(job.id, REVIEWER, { files: ['b.txt'] });
    assert.deepEqual(word(accepted), {
      status: 'partly',
      files: ['b.txt'],
      dropped: ['a.txt'],
      group: 'review',
      kept: true,
    });
    assert.equal(world.repo.read('b.txt'), 'B\n');
  });

  it('all dropped is a rejected job, and restoring opens all of it', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.dropFiles(job.id, REVIEWER, { files: ['a.txt', 'new.txt'] });
    const rejected = await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
    assert.equal(rejected.review.status, 'rejected');
    assert.equal(rejected.review.by, 'person:vscode');
    assert.equal(groupOf(rejected), 'finished');
    assert.equal(existsSync(job.root), false);
    const state = await world.reviews.state(job.id);
    assert.ok(state.files.every((file) => file.decision === 'dropped'));
    assert.match(state.note ?? '', /rejected by person:vscode/);
    const restored = await world.reviews.restore(job.id, REVIEWER);
    assert.deepEqual(word(restored), {
      status: 'pending',
      files: [],
      dropped: [],
      group: 'review',
      kept: true,
    });
    await world.reviews.accept(job.id, REVIEWER);
    assert.equal(world.repo.read('b.txt'), 'B\n');
  });

  it('the last file that is dropped after an accept of the others decides, and restoring opens what was dropped', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.accept(job.id, REVIEWER, { files: ['a.txt', 'new.txt'] });
    const decided = await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
    assert.deepEqual(word(decided), {
      status: 'partly',
      files: ['a.txt', 'new.txt'],
      dropped: ['b.txt'],
      group: 'finished',
      kept: false,
    });
    assert.equal(world.repo.read('a.txt'), 'A\n', 'what was taken stays');
    const restored = await world.reviews.restore(job.id, REVIEWER);
    assert.deepEqual(word(restored), {
      status: 'partly',
      files: ['a.txt', 'new.txt'],
      dropped: [],
      group: 'review',
      kept: true,
    });
    const { job: whole } = await world.reviews.accept(job.id, REVIEWER);
    assert.equal(whole.review.status, 'accepted');
    assert.equal(world.repo.read('b.txt'), 'B\n');
  });

  it('to reject the job after an accept of one file says both', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.accept(job.id, REVIEWER, { files: ['a.txt'] });
    const rejected = await world.reviews.reject(job.id, REVIEWER);
    assert.deepEqual(word(rejected), {
      status: 'partly',
      files: ['a.txt'],
      dropped: ['b.txt', 'new.txt'],
      group: 'finished',
      kept: false,
    });
  });

  it('a drop can be taken back, and decides nothing then', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: { 'a.txt': 'A\n' }, record: {} });
    await world.job({ writes: THREE });
    await world.reviews.accept(job.id, REVIEWER, { dryRun: true });
    const two = await world.job({ writes: { 'b.txt': 'B\n', 'c.txt': 'C\n' } });
    await world.reviews.dropFiles(two.id, REVIEWER, { files: ['b.txt'] });
    const back = await world.reviews.dropFiles(two.id, REVIEWER, {
      files: ['b.txt'],
      isTakenBack: true,
    });
    assert.deepEqual(word(back), {
      status: 'pending',
      files: [],
      dropped: [],
      group: 'review',
      kept: true,
    });
  });

  const refusals: [string, string[], string][] = [
    ['a file that the job has not changed', ['c.txt'], 'bad_argument'],
    ['a path out of the tree', ['../a.txt'], 'bad_argument'],
  ];
  for (const [what, files, kind] of refusals) {
    it(`${what} cannot be dropped`, async () => {
      world = reviewWorld();
      const job = await world.job({ writes: THREE });
      await assert.rejects(world.reviews.dropFiles(job.id, REVIEWER, { files }), { kind });
    });
  }

  it('what is taken or decided cannot be dropped', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.accept(job.id, REVIEWER, { files: ['a.txt'] });
    await assert.rejects(world.reviews.dropFiles(job.id, REVIEWER, { files: ['a.txt'] }), {
      kind: 'wrong_state',
    });
    await world.reviews.accept(job.id, REVIEWER);
    await assert.rejects(world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] }), {
      kind: 'nothing_to_accept',
    });
  });

  it('an accept of a job of which every open file was dropped has to name one', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.accept(job.id, REVIEWER, { files: ['a.txt'] });
    await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
    const { result } = await world.reviews.accept(job.id, REVIEWER, { files: ['new.txt'] });
    assert.equal(result.status, 'applied');
    assert.equal(world.bridge.job(job.id).review.status, 'partly');
  });

  it('renames go by either name', async () => {
    world = reviewWorld({ files: { 'old.txt': 'one\ntwo\nthree\nfour\n', 'x.txt': 'x\n' } });
    const job = await world.job({
      writes: { 'old.txt': null, 'name.txt': 'one\ntwo\nthree\nfour\n', 'x.txt': 'X\n' },
    });
    const dropped = await world.reviews.dropFiles(job.id, REVIEWER, { files: ['old.txt'] });
    assert.deepEqual(dropped.review.dropped, ['name.txt']);
    await world.reviews.accept(job.id, REVIEWER);
    assert.equal(existsSync(world.repo.path('old.txt')), true);
    assert.equal(world.repo.read('x.txt'), 'X\n');
  });

  it('a commit on the branch leaves the tree, and no review that never ends', async () => {
    world = reviewWorld();
    const job = await world.job({ writes: THREE });
    await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
    const { job: accepted } = await world.reviews.accept(job.id, REVIEWER, { how: 'branch' });
    assert.equal(accepted.review.status, 'accepted');
    assert.deepEqual(accepted.review.dropped, ['b.txt']);
    assert.equal(accepted.worktree?.kept, true);
    assert.equal(groupOf(accepted), 'finished');
    const tree = world.repo.git('ls-tree', '--name-only', accepted.worktree?.branch ?? '');
    assert.match(tree, /new\.txt/);
    assert.equal(world.repo.git('show', `${accepted.worktree?.branch ?? ''}:b.txt`), 'b\n');
  });

  describe('in the checkout itself', () => {
    it('dropping puts the file back, keeping is a word, and undo brings the job’s version again', async () => {
      world = reviewWorld();
      const job = await world.jobInPlace({ writes: THREE });
      const dropped = await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
      assert.equal(world.repo.read('b.txt'), 'b\n');
      assert.equal(world.repo.read('a.txt'), 'A\n');
      assert.equal(dropped.review.status, 'pending');
      assert.deepEqual(dropped.review.dropped, ['b.txt']);
      await assert.rejects(
        world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'], isTakenBack: true }),
        { kind: 'not_supported' },
      );
      const { job: undone } = await world.reviews.undoAccept(job.id, REVIEWER);
      assert.equal(world.repo.read('b.txt'), 'B\n');
      assert.deepEqual(undone.review.dropped, []);
      await world.reviews.dropFiles(job.id, REVIEWER, { files: ['b.txt'] });
      const { job: kept } = await world.reviews.accept(job.id, REVIEWER);
      assert.deepEqual(word(kept), {
        status: 'partly',
        files: ['a.txt', 'new.txt'],
        dropped: ['b.txt'],
        group: 'finished',
        kept: true,
      });
    });

    it('a dry run says nothing about the job', async () => {
      world = reviewWorld();
      const job = await world.jobInPlace({ writes: THREE });
      const { result } = await world.reviews.accept(job.id, REVIEWER, { dryRun: true });
      assert.equal(result.status, 'dry-run');
      assert.equal(world.bridge.job(job.id).review.status, 'pending');
    });

    it('all dropped is rejected', async () => {
      world = reviewWorld();
      const job = await world.jobInPlace({ writes: { 'a.txt': 'A\n', 'new.txt': 'N\n' } });
      const rejected = await world.reviews.dropFiles(job.id, REVIEWER, {
        files: ['a.txt', 'new.txt'],
      });
      assert.equal(rejected.review.status, 'rejected');
      assert.equal(world.repo.read('a.txt'), 'a\n');
      assert.equal(existsSync(world.repo.path('new.txt')), false);
    });
  });
});
