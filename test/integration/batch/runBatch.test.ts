import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

const MODELS = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
pools:
  rehearsal: { slots: 2 }
runners:
  loop: { max_batch: 5 }
`;

describe('run_batch over stdio', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let mcp: McpTestClient;
  const good = (name: string): Record<string, unknown> => ({
    runner: 'loop',
    task: script(`write ${name}.txt: ${name}`, `say: Wrote ${name}.`),
  });

  before(async () => {
    world = await bridgeWorld({ models: MODELS });
    mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--progress-interval-ms', '100'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
      }),
    );
    await mcp.client.listTools(); // from here on each answer is checked against the output schema
  });
  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await world.dispose();
  });

  it('gives one result for each task in the order given, more tasks than slots, with progress', async () => {
    const seen: string[] = [];
    const { fields, isError } = await mcp.call(
      'run_batch',
      { tasks: ['one', 'two', 'three', 'four'].map(good), wait_s: 60 },
      (message) => seen.push(message),
    );
    assert.equal(isError, false, JSON.stringify(fields));
    assert.deepEqual(
      fields['results'].map((result: any) => [result.index, result.ok, result.result]), // eslint-disable-line @typescript-eslint/no-explicit-any -- of an answer
      [
        [0, true, 'Wrote one.'],
        [1, true, 'Wrote two.'],
        [2, true, 'Wrote three.'],
        [3, true, 'Wrote four.'],
      ],
    );
    assert.deepEqual(
      [fields['batch_size'], fields['started'], fields['succeeded'], fields['failed']],
      [4, 4, 4, 0],
    );
    assert.ok(!('watch' in fields), 'there is nothing to wait for');
    assert.ok(
      seen.some((message) => /^[0-4]\/4 ended \| /.test(message)),
      seen.join('\n'),
    );
  });

  it('one bad task fails alone, and says which field is wrong', async () => {
    const { fields, isError } = await mcp.call('run_batch', {
      tasks: [
        good('five'),
        { task: 'x', max_turns: 'many' },
        'no object',
        { task: 'x', runner: 'loop', model: 'nobody-serves-this' },
        { task: 'x', runner: 'loop', cwd: '/no/such/folder' },
      ],
      wait_s: 60,
    });
    assert.equal(isError, false);
    const [first, type, text, model, folder] = fields['results'];
    assert.deepEqual([first.ok, first.status], [true, 'done']);
    assert.match(type.error.message, /tasks\[1\].*max_turns/);
    assert.match(text.error.message, /tasks\[2\].*object/);
    assert.deepEqual([model.ok, model.status], [false, 'refused']);
    assert.equal(model.error.kind, 'model_unavailable');
    assert.deepEqual([folder.job_id, folder.error.kind], [null, 'bad_argument']);
    assert.deepEqual([fields['started'], fields['succeeded'], fields['failed']], [1, 1, 4]);
  });

  it('atomic: nothing starts when one cannot, and each error is named', async () => {
    const before = world.jobIds().length;
    const { fields, isError } = await mcp.call('run_batch', {
      tasks: [
        good('six'),
        { task: 'x', runner: 'loop', model: 'nobody-serves-this' },
        { task: '', runner: 'loop' },
      ],
      atomic: true,
    });
    assert.equal(isError, true);
    assert.equal(world.jobIds().length, before);
    const [held, model, task] = fields['results'];
    assert.deepEqual([held.ok, held.status, held.error], [null, 'not started', undefined]);
    assert.equal(model.error.kind, 'model_unavailable');
    assert.match(task.error.message, /tasks\[2\].*task/);
    assert.match(fields['error'].message, /No task of the batch was started/);
  });

  it('atomic: all start when all can; without waiting one command waits for all', async () => {
    const { fields, isError } = await mcp.call('run_batch', {
      tasks: [good('seven'), good('eight')],
      atomic: true,
    });
    assert.equal(isError, false);
    const ids = fields['results'].map((result: { job_id: string }) => result.job_id) as string[];
    assert.equal(fields['watch'].endsWith(`wait ${ids.join(' ')}`), true, fields['watch']);
    for (const id of ids) assert.equal((await world.finished(id)).status, 'done');
  });

  for (const [what, args, expected] of [
    ['an empty batch', { tasks: [] }, /no tasks/],
    ['a batch of too many', { tasks: Array(6).fill({ task: 'x' }) }, /6 tasks; 5 is the limit/],
  ] as const) {
    it(`${what} is a value`, async () => {
      const { fields, isError } = await mcp.call('run_batch', args);
      assert.equal(isError, true);
      assert.equal(fields['error'].kind, 'bad_argument');
      assert.match(fields['error'].message, expected);
    });
  }

  /** Starts two jobs that hang and cancels the call once both are in the store. */
  const cancelled = async (isJobCancelled: boolean): Promise<string[]> => {
    const hang = { runner: 'loop', task: script('hang 60s', 'say: late') };
    const known = new Set(world.bridge.list().map((job) => job.id));
    const controller = new AbortController();
    const call = mcp.client.callTool(
      {
        name: 'run_batch',
        arguments: { tasks: [hang, hang], wait_s: 60, cancel_with_client: isJobCancelled },
      },
      undefined,
      { signal: controller.signal },
    );
    const fresh = (): string[] =>
      world.bridge
        .list()
        .map((job) => job.id)
        .filter((id) => !known.has(id));
    await world.until('both jobs', () => fresh().length === 2);
    controller.abort();
    await assert.rejects(call);
    return fresh();
  };

  it('cancel_with_client ends all of its jobs', async () => {
    const ids = await cancelled(true);
    await world.until('the end of both', () =>
      ids.every((id) => world.bridge.job(id).status === 'cancelled'),
    );
  });

  it('else a call that is cancelled leaves its jobs alone', async () => {
    const ids = await cancelled(false);
    // The answer to a later call proves that the server has seen the cancel.
    await mcp.call('list_jobs');
    for (const id of ids) {
      assert.match(world.bridge.job(id).status, /queued|starting|running/);
      await world.bridge.cancel(id, PERSON);
    }
  });
});
