import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import type { JobsChange } from '../../../../src/host/jobs/jobList.ts';
import { JobsModel } from '../../../../src/host/jobs/jobsModel.ts';
import { groupOf, JOB_GROUPS, type JobGroup } from '../../../../src/protocol/jobGroup.ts';
import type { FeedJob, UiAnswer, UiArgs, UiToolName } from '../../../../src/protocol/ui/uiTools.ts';
import { settled } from '../../../support/fakeClock.ts';
import { FakeFeed, type JobPhase } from '../../../support/fakeFeed.ts';

const PHASES: readonly JobPhase[] = ['queued', 'running', 'review', 'finished'];
const quiet = { info: assert.fail, warn: assert.fail, error: assert.fail };

/** A link whose answers are computed when the server would, and arrive when the test says so. */
class FakeLink {
  readonly feed: FakeFeed;
  readonly asked: UiArgs<'job_feed'>[] = [];
  isHeld = false;
  isDown = false;
  listener: (() => void) | null = null;
  #held: (() => void)[] = [];

  constructor(feed: FakeFeed) {
    this.feed = feed;
  }

  readonly call = (async (name: UiToolName, args: UiArgs<'job_feed'>) => {
    assert.equal(name, 'job_feed');
    this.asked.push(args);
    const outcome: UiAnswer<'job_feed'> | BridgeError = this.isDown
      ? new BridgeError('server_unavailable', 'The server ended.', { hint: 'Restart it.' })
      : this.feed.answer(args);
    if (this.isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (outcome instanceof BridgeError) throw outcome;
    return outcome;
  }) as unknown;

  readonly subscribe = (uri: string, listener: () => void) => {
    assert.equal(uri, 'delegate://jobs');
    assert.equal(this.listener, null);
    this.listener = listener;
    return { dispose: () => (this.listener = null) };
  };

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    for (const resolve of held) resolve();
    await settled();
  }
}

/** What a tree shows that reads again only what it is told about. */
class Replica {
  readonly #model: JobsModel;
  rows = new Map<JobGroup, FeedJob[]>();
  hasMore = false;
  readonly seen: JobsChange[] = [];

  constructor(model: JobsModel) {
    this.#model = model;
    model.onDidChange((change) => this.#take(change));
  }

  #take(change: JobsChange): void {
    this.seen.push(change);
    const groups = change.isWhole ? JOB_GROUPS : change.groups;
    for (const group of groups) this.rows.set(group, [...this.#model.jobs(group)]);
    if (change.isWhole || change.groups.has('finished')) this.hasMore = this.#model.hasMoreFinished;
    for (const job of change.changed) {
      const rows = this.rows.get(groupOf(job)) ?? [];
      const index = rows.findIndex(({ id }) => id === job.id);
      assert.ok(index >= 0, `${job.id} is told as changed where it is not shown`);
      rows[index] = job;
    }
  }
}

function modelOf(feed: FakeFeed): { link: FakeLink; model: JobsModel; replica: Replica } {
  const link = new FakeLink(feed);
  const model = new JobsModel(link as never, quiet);
  return { link, model, replica: new Replica(model) };
}

function expectedOf(feed: FakeFeed, folders: readonly string[] | null, shown: ReadonlySet<string>) {
  return Object.fromEntries(
    JOB_GROUPS.map((group) => {
      const jobs = feed
        .jobs(folders)
        .filter((job) => groupOf(job) === group && (group !== 'finished' || shown.has(job.id)));
      return [group, group === 'waiting' ? jobs.reverse() : jobs];
    }),
  );
}

describe('the jobs of the extension', () => {
  it('ask for nothing before somebody listens, and once however many do', async () => {
    const link = new FakeLink(new FakeFeed());
    const model = new JobsModel(link as never, quiet);
    await settled();
    assert.deepEqual(link.asked, []);
    model.onDidChange(() => undefined);
    model.onDidChange(() => undefined);
    await settled();
    assert.deepEqual(link.asked, [{ limit: 50 }]);
  });

  it('cost one small question a change, and tell of that job alone', async () => {
    const feed = new FakeFeed();
    for (let n = 0; n < 500; n++) feed.add('finished');
    const running = feed.add('running');
    const { link, model, replica } = modelOf(feed);
    await settled();
    const { revision } = feed.answer({});
    replica.seen.length = 0;
    feed.change(running);
    await model.update();
    assert.deepEqual(link.asked.at(-1), { since: revision });
    assert.deepEqual(
      replica.seen.map(({ changed, groups, isWhole }) => [
        changed.map(({ id }) => id),
        [...groups],
        isWhole,
      ]),
      [[[`job-${running}`], [], false]],
    );
  });

  it('say nothing when nothing that is shown has changed', async () => {
    const feed = new FakeFeed();
    for (let n = 0; n < 120; n++) feed.add('finished');
    const { model, replica } = modelOf(feed);
    await settled();
    replica.seen.length = 0;
    feed.change(3); // on a page that is not loaded
    await model.update();
    await model.update();
    assert.deepEqual(replica.seen, []);
  });

  it('load page after page, also past an old job that was decided only now', async () => {
    const feed = new FakeFeed();
    const old = feed.add('review');
    for (let n = 0; n < 119; n++) feed.add('finished');
    const { link, model } = modelOf(feed);
    await settled();
    assert.equal(model.jobs('finished').length, 50);
    feed.change(old, 'finished');
    await model.update();
    assert.equal(model.jobs('finished').at(-1)?.id, `job-${old}`);
    await Promise.all([model.loadMore(), model.loadMore()]);
    assert.deepEqual(link.asked.slice(-1), [{ before: 71, limit: 50 }]);
    assert.equal(model.jobs('finished').length, 101);
    await model.loadMore();
    assert.deepEqual(
      model.jobs('finished').map(({ seq }) => seq),
      Array.from({ length: 120 }, (_, n) => 120 - n),
    );
    assert.equal(model.hasMoreFinished, false);
    const { length } = link.asked;
    await model.loadMore();
    assert.equal(link.asked.length, length, 'there is no page more to ask for');
  });

  it('keep what they know when the server is gone, say so, and catch up by what has changed', async () => {
    const feed = new FakeFeed();
    const running = feed.add('running');
    const { link, model, replica } = modelOf(feed);
    await settled();
    link.isDown = true;
    await model.update();
    assert.deepEqual(model.state, {
      kind: 'error',
      errorKind: 'server_unavailable',
      message: 'The server ended.',
      hint: 'Restart it.',
    });
    assert.equal(model.jobs('running').length, 1);
    link.isDown = false;
    feed.change(running, 'finished');
    link.listener?.();
    await settled();
    assert.deepEqual(model.state, { kind: 'ready' });
    assert.equal(replica.rows.get('finished')?.length, 1);
  });

  it('never take an answer to a question that is not asked any more', async () => {
    const feed = new FakeFeed();
    for (let n = 0; n < 120; n++) feed.add('finished');
    for (let n = 0; n < 3; n++) feed.add('running', '/other');
    const { link, model, replica } = modelOf(feed);
    const shown = (): number[] => JOB_GROUPS.map((group) => model.jobs(group).length);
    const changeMeanwhile = async (before: () => void, folders: string[] | null): Promise<void> => {
      await settled();
      replica.seen.length = 0;
      link.isHeld = true;
      before();
      await settled();
      const filtered = model.filter(folders);
      await settled();
      await link.release();
      assert.deepEqual(replica.seen, [], 'the old answer');
      link.isHeld = false;
      await link.release();
      await filtered;
    };
    await changeMeanwhile(() => void model.filter(['/repo']), null);
    assert.deepEqual(shown(), [0, 3, 0, 50]);
    await changeMeanwhile(() => void model.loadMore(), ['/other']);
    assert.deepEqual(shown(), [0, 3, 0, 0]);
    await changeMeanwhile(() => void model.update(), ['/repo']);
    assert.deepEqual(shown(), [0, 0, 0, 50]);
  });

  it('ask for everything when another store answers', async () => {
    const feed = new FakeFeed();
    for (let n = 0; n < 5; n++) feed.add('review');
    const { link, model } = modelOf(feed);
    await settled();
    Object.assign(link, { feed: new FakeFeed() });
    link.feed.add('running');
    await model.update();
    assert.deepEqual(
      JOB_GROUPS.map((group) => model.jobs(group).length),
      [0, 1, 0, 0],
    );
  });

  it('tell nobody after they were disposed of', async () => {
    const { link, model, replica } = modelOf(new FakeFeed());
    link.isHeld = true;
    void model.update();
    await settled();
    model.dispose();
    await link.release();
    await settled();
    assert.deepEqual(replica.seen, []);
    assert.equal(link.listener, null);
  });

  it('are in the end what a full reload would give, whatever happened in between', async () => {
    const command = fc.oneof(
      fc.record({
        kind: fc.constant('add' as const),
        phase: fc.constantFrom(...PHASES),
        repo: fc.constantFrom('/repo', '/other'),
      }),
      fc.record({ kind: fc.constant('many' as const), count: fc.integer({ min: 1, max: 70 }) }),
      fc.record({
        kind: fc.constant('change' as const),
        pick: fc.nat(),
        phase: fc.constantFrom(undefined, ...PHASES),
      }),
      fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }),
      fc.constantFrom(
        { kind: 'tell' as const },
        { kind: 'more' as const },
        { kind: 'reload' as const },
        { kind: 'hold' as const },
        { kind: 'release' as const },
        { kind: 'down' as const },
        { kind: 'up' as const },
        { kind: 'filter' as const, folders: null },
        { kind: 'filter' as const, folders: ['/repo'] },
        { kind: 'filter' as const, folders: ['/other'] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
        const feed = new FakeFeed();
        const { link, model, replica } = modelOf(feed);
        let folders: readonly string[] | null = null;
        const background: Promise<unknown>[] = [];
        const start = (work: Promise<void>): void => {
          background.push(work.catch((error: unknown) => assert.ok(BridgeError.is(error))));
        };
        for (const each of commands) {
          const { seqs } = feed;
          switch (each.kind) {
            case 'add':
              feed.add(each.phase, each.repo);
              break;
            case 'many':
              for (let n = 0; n < each.count; n++) feed.add('finished');
              break;
            case 'change':
              if (seqs.length > 0) feed.change(seqs[each.pick % seqs.length] ?? 0, each.phase);
              break;
            case 'remove':
              if (seqs.length > 0) feed.remove(seqs[each.pick % seqs.length] ?? 0);
              break;
            case 'tell':
              link.listener?.();
              break;
            case 'more':
              start(model.loadMore());
              break;
            case 'reload':
              start(model.reload());
              break;
            case 'filter':
              folders = each.folders;
              start(model.filter(each.folders));
              break;
            case 'hold':
              link.isHeld = true;
              break;
            case 'release':
              link.isHeld = false;
              await link.release();
              break;
            case 'down':
              link.isDown = true;
              break;
            case 'up':
              link.isDown = false;
              link.listener?.();
              break;
          }
          await settled();
        }
        link.isDown = false;
        link.isHeld = false;
        for (let n = 0; n < 50; n++) await link.release();
        await Promise.all(background);
        await model.update();
        await model.update();

        assert.deepEqual(model.state, { kind: 'ready' });
        const shown = new Set(model.jobs('finished').map(({ id }) => id));
        const actual = Object.fromEntries(
          JOB_GROUPS.map((group) => [group, [...model.jobs(group)]]),
        );
        assert.deepEqual(actual, expectedOf(feed, folders, shown));
        // Page after page gives every finished job once.
        for (let n = 0; model.hasMoreFinished; n++) {
          assert.ok(n < 100);
          await model.loadMore();
        }
        const all = feed.jobs(folders).filter((job) => groupOf(job) === 'finished');
        assert.deepEqual([...model.jobs('finished')], all);
        assert.equal(model.finishedTotal, all.length);
        for (const group of JOB_GROUPS)
          assert.deepEqual(replica.rows.get(group) ?? [], [...model.jobs(group)], group);
        assert.equal(replica.hasMore, false);
      }),
      { numRuns: 150 },
    );
  }).timeout(60_000);
});
