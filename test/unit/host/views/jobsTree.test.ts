import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { JobsModel } from '../../../../src/host/jobs/jobsModel.ts';
import { JobFiles } from '../../../../src/host/views/jobFiles.ts';
import type { JobsNode } from '../../../../src/host/views/jobsNode.ts';
import { JobsTree } from '../../../../src/host/views/jobsTree.ts';
import type { UiArgs, UiToolName } from '../../../../src/protocol/ui/uiTools.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { FakeFeed } from '../../../support/fakeFeed.ts';
import { changedFile } from '../../../support/feedJob.ts';

const quiet = { info: assert.fail, warn: assert.fail, error: assert.fail };
const nameOf = (node: JobsNode): string => {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'job':
      return node.jobId;
    case 'file':
    case 'folder':
      return `${node.kind} ${node.path}`;
    case 'more':
      return 'more';
    case 'error':
      return `error ${node.message}`;
    case 'note':
      return `note ${node.text}`;
  }
};

/** VS Code's side: after each event it asks for the rows that the event names, and for what is open below them. */
class FakeView {
  readonly #tree: JobsTree;
  readonly open = new Set<string>(['review', 'running', 'waiting']);
  fires: (string[] | null)[] = [];
  rows = 0;
  asked: string[] = [];
  shown: string[] = [];

  constructor(tree: JobsTree) {
    this.#tree = tree;
    tree.onDidChange((nodes) => {
      this.fires.push(nodes?.map(nameOf) ?? null);
      void this.#refresh(nodes);
    });
  }

  async show(node?: JobsNode): Promise<void> {
    this.asked.push(node === undefined ? 'root' : nameOf(node));
    for (const child of await this.#tree.children(node)) {
      this.#tree.row(child);
      this.rows += 1;
      this.shown.push(nameOf(child));
      if (this.open.has(nameOf(child))) await this.show(child);
    }
  }

  async #refresh(nodes: readonly JobsNode[] | null): Promise<void> {
    if (nodes === null) return this.show();
    for (const node of nodes) {
      this.#tree.row(node);
      this.rows += 1;
      if (this.open.has(nameOf(node))) await this.show(node);
    }
  }

  forget(): void {
    Object.assign(this, { fires: [], rows: 0, asked: [], shown: [] });
  }
}

async function treeOf(feed: FakeFeed, more: { review?: () => Promise<unknown> } = {}) {
  const link = {
    call: async (name: UiToolName, args: unknown) => {
      if (name === 'review_job' && more.review !== undefined) return more.review();
      assert.equal(name, 'job_feed');
      return feed.answer(args as UiArgs<'job_feed'>);
    },
    subscribe: () => ({ dispose: () => undefined }),
  };
  const clock = new FakeClock();
  const jobs = new JobsModel(link as never, quiet);
  const files = new JobFiles(link as never, () => undefined);
  const now = (): Date => new Date('2026-07-01T10:04:12Z');
  const tree = new JobsTree({ jobs, files, clock, now, log: quiet, isAllShown: () => false });
  const view = new FakeView(tree);
  const first = view.show();
  await first;
  await clock.advance(5000);
  view.forget();
  return { tree, view, jobs, clock };
}

function manyJobs(): { feed: FakeFeed; running: number } {
  const feed = new FakeFeed();
  for (let n = 0; n < 500; n++) feed.add('finished');
  feed.add('review');
  feed.add('running');
  const running = feed.add('running');
  feed.add('queued');
  return { feed, running };
}

describe('the rows of the jobs view', () => {
  it('wait for the first answer, so that VS Code shows progress and no empty list', async () => {
    const feed = new FakeFeed();
    feed.add('running');
    const { tree } = await treeOf(feed);
    assert.deepEqual((await tree.children()).map(nameOf), ['running']);
  });

  it('of one job that has changed are one row: one event, one row made, no children asked for', async () => {
    const { feed, running } = manyJobs();
    const { view, jobs, clock } = await treeOf(feed);
    feed.change(running);
    await jobs.update();
    await clock.advance(0);
    assert.deepEqual(view.fires, [[`job-${running}`]]);
    assert.equal(view.rows, 1);
    assert.deepEqual(view.asked, []);
  });

  it('show the first page of 500 finished jobs, then the next, and stay the same objects', async () => {
    const { feed } = manyJobs();
    const { tree, view, jobs, clock } = await treeOf(feed);
    view.open.add('finished');
    await view.show();
    // 4 groups, 4 open jobs, 50 finished ones, and the row that loads more
    assert.equal(view.rows, 4 + 4 + 50 + 1);
    assert.equal(view.shown.at(-1), 'more');
    const [, , , group] = await tree.children();
    const before = await tree.children(group);
    view.forget();
    await jobs.loadMore();
    await clock.advance(0);
    assert.deepEqual(view.fires, [['finished']]);
    assert.equal(view.rows, 1 + 100 + 1);
    const after = await tree.children(group);
    assert.ok(before.slice(0, 50).every((node, n) => node === after[n]));
    assert.equal(tree.row(after.at(-1) as JobsNode).description, '400 older');
  });

  it('touch two groups when a job moves from one to the other, and all when a group comes or goes', async () => {
    const { feed, running } = manyJobs();
    const { view, jobs, clock } = await treeOf(feed);
    feed.change(running, 'review');
    await jobs.update();
    await clock.advance(0);
    assert.deepEqual(
      view.fires.map((fire) => fire?.sort()),
      [['review', 'running']],
    );
    view.forget();
    feed.change(running - 1, 'review');
    await jobs.update();
    await clock.advance(1000);
    assert.deepEqual(view.fires, [null]);
  });

  it('tick only where a time is shown: running ones each second, waiting ones each ten', async () => {
    const { feed, running } = manyJobs();
    const { tree, view, clock } = await treeOf(feed);
    for (let n = 0; n < 10; n++) {
      tree.tick();
      await clock.advance(1000);
    }
    const [ninth, tenth] = view.fires.slice(-2);
    assert.equal(view.fires.length, 10);
    assert.deepEqual(ninth, [`job-${running}`, `job-${running - 1}`]);
    assert.deepEqual(tenth, [`job-${running}`, `job-${running - 1}`, `job-${running + 1}`]);
  });

  it('are told at once, and at most four times a second under load, the last state included', async () => {
    const { feed, running } = manyJobs();
    const { view, jobs, clock } = await treeOf(feed);
    for (let n = 0; n < 100; n++) {
      feed.change(running);
      await jobs.update();
      if (n === 0) assert.equal(view.fires.length, 1, 'the first one at once');
      await clock.advance(20);
    }
    await clock.advance(1000);
    assert.ok(view.fires.length <= 12, `${view.fires.length} events in 3 seconds`);
    assert.ok(view.fires.length >= 8);
  });

  it('of files come from the worktree of a job for review; a failure is a row with the reason, and asked again', async () => {
    const feed = new FakeFeed();
    const seq = feed.add('review');
    let asked = 0;
    const { tree } = await treeOf(feed, {
      review: async () => {
        asked += 1;
        if (asked === 1)
          throw new BridgeError('worktree_gone', 'The worktree is gone.', { hint: 'Retry.' });
        return {
          files: Array.from({ length: 13 }, (_, n) => ({
            ...changedFile(n === 0 ? 'README.md' : `src/deep/${n}.ts`),
            decision: n === 1 ? 'dropped' : 'open',
          })),
          note: null,
        };
      },
    });
    const job = tree.nodeOf(`job-${seq}`);
    assert.deepEqual((await tree.children(job)).map(nameOf), ['error The worktree is gone.']);
    const children = await tree.children(job);
    assert.deepEqual(children.map(nameOf), ['folder src/deep', 'file README.md']);
    await tree.children(job);
    assert.equal(asked, 2, 'what was read stays until the job changes');
    const inside = await tree.children(children[0]);
    assert.equal(inside.length, 12);
    assert.equal(tree.parent(inside[0] as JobsNode), children[0]);
    assert.equal(tree.parent(children[0] as JobsNode), job);
    assert.equal(tree.row(inside[0] as JobsNode).contextValue, ';file;dropped;modified;');
    assert.match(tree.row(inside[0] as JobsNode).description, /^rejected · \+12 −2$/);
  });

  it('give a reason in place of an empty list when the store cannot be read', async () => {
    const feed = new FakeFeed();
    const link = {
      call: async () => {
        throw new BridgeError('store_newer', 'The store is newer.', {
          hint: 'Update Delegation Bridge.',
        });
      },
      subscribe: () => ({ dispose: () => undefined }),
    };
    void feed;
    const jobs = new JobsModel(link as never, quiet);
    const files = new JobFiles(link as never, () => undefined);
    const clock = new FakeClock();
    const tree = new JobsTree({
      jobs,
      files,
      clock,
      now: () => new Date(),
      log: quiet,
      isAllShown: () => false,
    });
    const [node, ...others] = await tree.children();
    assert.deepEqual(others, []);
    const row = tree.row(node as JobsNode);
    assert.equal(row.label, 'The store is newer.');
    assert.equal(row.description, 'Update Delegation Bridge.');
    assert.deepEqual(row.command, { name: 'refresh', title: 'Retry' });
  });

  it('leave nothing pending when the view is gone', async () => {
    const { feed } = manyJobs();
    const { tree, clock } = await treeOf(feed);
    for (let n = 0; n < 6; n++) tree.tick();
    assert.equal(clock.pending, 1);
    tree.dispose();
    assert.equal(clock.pending, 0);
    await settled();
  });
});
