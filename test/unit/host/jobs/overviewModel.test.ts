import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { OverviewModel } from '../../../../src/host/jobs/overviewModel.ts';
import type { ModelsOverview, UiAnswer } from '../../../../src/protocol/ui/uiTools.ts';
import { settled } from '../../../support/fakeClock.ts';
import { endpoint, overview } from '../../../support/overview.ts';

class FakeLink {
  readonly asked: string[] = [];
  readonly watched: (() => void)[] = [];
  answer: ModelsOverview = overview();
  use: UiAnswer<'slot_use'> = { endpoints: [], pools: [] };
  failure: BridgeError | null = null;
  readonly warnings: string[] = [];

  readonly call = async (name: string, args: unknown): Promise<unknown> => {
    assert.deepEqual(args, { cwd: '/repo' });
    this.asked.push(name);
    await settled();
    if (this.failure !== null) throw this.failure;
    if (name === 'list_models') return this.answer;
    assert.equal(name, 'slot_use');
    return this.use;
  };

  readonly subscribe = (uri: string, listener: () => void) => {
    assert.equal(uri, 'delegate://pools');
    this.watched.push(listener);
    return { dispose: () => void this.watched.splice(this.watched.indexOf(listener), 1) };
  };
}

function modelOf() {
  const link = new FakeLink();
  const log = {
    info: assert.fail,
    error: assert.fail,
    warn: (text: string) => void link.warnings.push(text),
  };
  const model = new OverviewModel(
    link as never,
    () => '/repo',
    log,
    () => 7000,
  );
  let changes = 0;
  model.onDidChange(() => (changes += 1));
  return { link, model, changes: () => changes };
}

describe('endpoints and pools as the extension knows them', () => {
  it('ask nobody because somebody listens', async () => {
    const { link, model } = modelOf();
    await settled();
    assert.deepEqual([link.asked, model.state.kind, model.askedAtMs], [[], 'loading', null]);
  });

  it('answer many questions at once with one more', async () => {
    const { link, model, changes } = modelOf();
    await Promise.all([model.refresh(), model.refresh(), model.refresh()]);
    assert.deepEqual(link.asked, ['list_models', 'list_models']);
    assert.equal(changes(), 2);
    assert.equal(model.askedAtMs, 7000);
  });

  it('follow the use of places without asking an endpoint, while they are watched', async () => {
    const { link, model, changes } = modelOf();
    await model.refresh();
    const watch = model.watch();
    link.use = {
      endpoints: [{ name: 'tower', inUse: 4 }],
      pools: [{ name: 'default', slots: 6, inUse: 4, waiting: [] }],
    };
    for (const listener of link.watched) listener();
    for (let n = 0; n < 8; n++) await settled();
    assert.equal(model.overview?.endpoints[0]?.inUse, 4);
    assert.equal(model.overview.pools[0]?.inUse, 4);
    assert.equal(link.asked.filter((name) => name === 'list_models').length, 1);
    const told = changes();
    for (const listener of link.watched) listener();
    for (let n = 0; n < 8; n++) await settled();
    assert.equal(changes(), told, 'the same count is no change');
    watch.dispose();
    assert.deepEqual(link.watched, []);
  });

  it('keep the last answer, and when it was, through a failure', async () => {
    const { link, model } = modelOf();
    link.answer = overview({ endpoints: [endpoint({ name: 'a' })] });
    await model.refresh();
    link.failure = new BridgeError('server_unavailable', 'The server ended.', { hint: 'Wait.' });
    await model.refresh();
    assert.equal(model.state.kind, 'error');
    assert.equal(model.overview?.endpoints[0]?.name, 'a');
    assert.equal(model.askedAtMs, 7000);
    model.watch();
    for (let n = 0; n < 8; n++) await settled();
    assert.deepEqual(link.warnings, ['Use of the pools: The server ended.']);
    link.failure = null;
    await model.refresh();
    assert.equal(model.state.kind, 'ready');
  });

  it('ask and tell nothing after they were disposed of', async () => {
    const { link, model, changes } = modelOf();
    model.watch();
    const refreshed = model.refresh();
    model.dispose();
    await refreshed;
    assert.deepEqual([changes(), link.watched.length], [0, 0]);
  });
});
