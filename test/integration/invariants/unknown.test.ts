import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { modelsPage, startRecorder, type Answerer } from './recorder.ts';
import { readReceipt } from './receipts.ts';
import { itWithClaude } from '../../support/withClaude.ts';

/** Anthropic's stream as a careless server sends it: no model, no usage. */
function bareStream(text: string): string {
  const events: readonly (readonly [string, object])[] = [
    [
      'message_start',
      {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [],
          stop_reason: null,
        },
      },
    ],
    ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
    ['content_block_delta', { index: 0, delta: { type: 'text_delta', text } }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason: 'end_turn' } }],
    ['message_stop', {}],
  ];
  return events
    .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    .join('');
}

const bare: Answerer = ({ method, url, body }) => {
  if (/\/v1\/models/.test(url)) return { body: modelsPage('asked-for') };
  if (method !== 'POST' || !/\/v1\/messages(\?|$)/.test(url)) return null;
  const asked = JSON.parse(body) as { stream?: boolean; tools?: unknown[] };
  // The question whether the model can call tools has to be answered with yes, or no session would come.
  const isToolProbe = /"report_number"/.test(body);
  if (asked.stream === true && !isToolProbe) {
    return { headers: { 'content-type': 'text/event-stream' }, body: bareStream('Done.') };
  }
  const content = isToolProbe
    ? [{ type: 'tool_use', id: 'toolu_1', name: 'report_number', input: { value: 7 } }]
    : [{ type: 'text', text: 'Done.' }];
  return {
    body: JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content,
      stop_reason: 'end_turn',
    }),
  };
};

describe('invariant 10: unknown is null', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let server: Awaited<ReturnType<typeof startRecorder>>;
  before(async () => {
    server = await startRecorder(bare);
    world = await bridgeWorld({
      models: `endpoints:\n  bare: { base_url: "${server.url}", format: anthropic }\n`,
    });
  });
  after(async () => {
    await world.dispose();
    await server.close();
  });

  itWithClaude(
    'a server that names no model and counts nothing: neither the asked name nor 0 is on the receipt',
    async () => {
      const { id } = await world.run({ task: script('say: Done.'), model: 'asked-for' });
      const receipt = readReceipt(world.repo.stateDir, id);
      assert.ok(receipt !== null);
      assert.ok(
        server.requests.some(
          ({ url, body }) =>
            /messages/.test(url) && /"stream":true/.test(body) && !body.includes('report_number'),
        ),
        'the session has asked the server',
      );
      assert.equal(receipt.modelRequested, 'asked-for');
      assert.equal(receipt.modelServed, null);
      assert.deepEqual(receipt.usage, {
        input: null,
        output: null,
        cacheRead: null,
        cacheWrite: null,
      });
      assert.equal(receipt.serverMetrics, null);
      assert.equal(receipt.speedTps, null);
      assert.deepEqual(receipt.context, { window: null, used: null });
      assert.deepEqual(receipt.clientUsage, {
        input: null,
        output: null,
        cacheRead: null,
        cacheWrite: null,
      });
      assert.notEqual(receipt.proof, null, 'that it was asked is known');
    },
  );

  it('the same for one plain question', async () => {
    const answer = await world.bridge.complete(
      { prompt: 'x', model: 'asked-for' },
      world.repo.root,
    );
    assert.equal(answer.text, 'Done.');
    assert.equal(answer.modelRequested, 'asked-for');
    assert.equal(answer.modelServed, null);
    assert.deepEqual(answer.usage, {
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
    });
  });

  itWithClaude('and the same for what is shown to the caller and to a person', async () => {
    const [job] = world.bridge.list();
    const { stdout } = await world.cli('jobs', '--json');
    assert.match(stdout, /"model_served": ?null/);
    const receipt = await world.cli('log', job?.id ?? '');
    assert.equal(receipt.code, 0);
  });
});
