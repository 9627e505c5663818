import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readHealth } from '../../../src/bridge/routing/endpointHealth.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { turnServer, type TurnServer, type TurnStep } from '../../support/turnServer.ts';

const MODEL = 'model-a';
const KEY = 'sk-second-key-value';

/** A server that lists one model, can call tools, and answers the turns of a job as the test says. */
async function failingServer(turns: (at: number) => TurnStep): Promise<TurnServer> {
  let asked = 0;
  return turnServer('anthropic', ({ path, body }) => {
    if (!path.endsWith('/messages')) {
      const isList = path.endsWith('/v1/models');
      return (response) => {
        response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(isList ? { object: 'list', data: [{ id: MODEL, object: 'model' }] } : {}),
        );
      };
    }
    const tools = body['tools'] as { name: string }[] | undefined;
    if (tools === undefined) return { status: 400, message: 'what the probe sends is no request' };
    if (tools.length !== 1) return turns(asked++);
    const answer = { type: 'tool_use', id: 't', name: tools[0]?.name, input: { value: 7 } };
    return (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ model: MODEL, content: [answer], stop_reason: 'tool_use' }));
    };
  });
}

const models = (url: string, when: string): string => `endpoints:
  first: { base_url: '${url}', format: anthropic, max_concurrent: 50 }
  second: { base_url: URL, max_concurrent: 50, api_key: '\${env:SECOND_KEY}' }
failover:
  when: [${when}]
  chains: { ${MODEL}: [rehearsal] }
`;

describe('a running job whose endpoint fails', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  let server: TurnServer;
  beforeEach(async () => {
    world = await bridgeWorld({ env: { SECOND_KEY: KEY } });
  });
  afterEach(async () => {
    await world.dispose();
    await server.close();
  });

  const start = async (when: string, turns: (at: number) => TurnStep) => {
    server = await failingServer(turns);
    world.writeModels(models(server.url, when));
    const record = await world.run({
      runner: 'loop',
      model: MODEL,
      // The key is not in the task, and comes from a command when the job is at the second endpoint.
      task: script('write a.txt: a', "run: printf 'sk-%s' second-key-value", 'say: Wrote a.'),
    });
    const store = new JobStore(world.repo.stateDir);
    const health = readHealth(store, Date.now());
    store.close();
    return { record, health };
  };
  const busy: TurnStep = { status: 503, headers: { 'retry-after': '0' } };

  it('goes on at the next member of the chain, and the receipt says so', async () => {
    const { record, health } = await start('error', () => busy);
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(record.result, 'Wrote a.');
    assert.deepEqual([record.endpoint, record.modelServed], ['second', 'rehearsal']);
    assert.deepEqual([record.fallback?.from, record.fallback?.to], [MODEL, 'rehearsal']);
    assert.match(record.fallback?.reason ?? '', /503/);
    assert.equal(record.proof?.endpoint, 'second');
    assert.equal(record.proof.requests, 3);
    assert.equal(record.attempts[0]?.endpoint, 'first');
    assert.equal(record.attempts[0]?.failure?.kind, 'backend_error');
    assert.ok(record.warnings.some((text) => /stands in for/.test(text)));
    assert.ok((health.get('first')?.failures ?? 0) > 0);
    assert.equal(health.get('second'), undefined);
    assert.match(world.log(record.id, 'transcript.txt'), /\[failover\] second rehearsal/);
    for (const name of ['transcript.txt', 'events.jsonl', 'history.jsonl', 'requests.jsonl'])
      assert.ok(!world.log(record.id, name).includes(KEY), name);
    assert.match(
      world.log(record.id, 'history.jsonl'),
      /\[secret second\.api_key\]|\[secret env:SECOND_KEY\]/,
    );
  });

  it('after a turn of work too: the history goes with it', async () => {
    const { record } = await start('error', (at) =>
      at === 0 ? { calls: [{ name: 'write_file', input: { path: 'b.txt', content: 'b' } }] } : busy,
    );
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.deepEqual(
      record.filesChanged.map(({ path }) => path),
      ['b.txt'],
    );
    assert.equal(record.result, 'Wrote a.');
    assert.equal(record.endpoint, 'second');
    assert.equal(record.proof?.requests, 2);
  });

  it('stays and fails where errors are no reason to move', async () => {
    const { record } = await start('pool_full', () => busy);
    assert.equal(record.status, 'failed');
    assert.equal(record.failure?.kind, 'backend_error');
    assert.deepEqual([record.endpoint, record.fallback], ['first', null]);
  });

  it('stays once part of an answer has come', async () => {
    const { record } = await start('error', () => (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const part = {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'half' },
      };
      response.write(
        `data: ${JSON.stringify({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })}\n\n`,
      );
      response.write(`data: ${JSON.stringify(part)}\n\n`, () => response.destroy());
    });
    assert.equal(record.status, 'failed');
    assert.deepEqual([record.endpoint, record.fallback], ['first', null]);
  });

  it('a request that is wrong is no reason to ask elsewhere', async () => {
    const { record, health } = await start('error', () => ({ status: 400, message: 'bad field' }));
    assert.equal(record.status, 'failed');
    assert.deepEqual([record.endpoint, record.fallback], ['first', null]);
    assert.equal(health.get('first'), undefined);
  });

  it('a stated pause becomes a cool-down for everybody', async () => {
    const { record, health } = await start('error', () => ({
      status: 429,
      headers: { 'retry-after': at() },
    }));
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.ok((health.get('first')?.pausedUntilMs ?? 0) > Date.now());
    assert.equal(health.get('first')?.breaker, 'closed');
  });

  // Three short pauses, then a long one: only the last is left when the job has moved.
  let pauses = 0;
  beforeEach(() => {
    pauses = 0;
  });
  const at = (): string => {
    pauses += 1;
    return pauses < 4 ? '0' : '100';
  };
});
