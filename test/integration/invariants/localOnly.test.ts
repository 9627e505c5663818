import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { modelsPage, startRecorder, type Answerer } from './recorder.ts';
import { readReceipt } from './receipts.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const SECRET_TASK = 'the-contents-of-a-private-brief';
type Server = Awaited<ReturnType<typeof startRecorder>>;

/** A LiteLLM that nobody has declared as one: its models list and its health page give it away. */
const liteLlm: Answerer = ({ url }) => {
  if (/\/v1\/models/.test(url)) return { body: modelsPage('rehearsal') };
  if (/health\/liveliness/.test(url)) return { body: '"I\'m alive!"' };
  return null;
};

describeWithClaude('invariant 6: local-only', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let far: Server;
  beforeEach(async () => {
    world = await bridgeWorld();
    far = await startRecorder(liteLlm, '127.0.0.2');
  });
  afterEach(async () => {
    await world.dispose();
    await far.close();
  });

  const places: readonly (readonly [
    what: string,
    entry: (url: string) => string,
    isAsked: boolean,
  ])[] = [
    ['a cloud', (url) => `{ base_url: "${url}", locality: cloud }`, false],
    ['a rented machine', (url) => `{ base_url: "${url}", locality: rented }`, false],
    ['a place that is not known', (url) => `{ base_url: "${url}", locality: unknown }`, false],
    ['a LiteLLM', (url) => `{ base_url: "${url}", backend: litellm }`, false],
    ['a Bifrost', (url) => `{ base_url: "${url}", backend: bifrost }`, false],
    [
      'a LiteLLM that is configured as nothing in particular',
      (url) => `{ base_url: "${url}" }`,
      true,
    ],
    [
      'a server behind a proxy',
      (url) => `{ base_url: "http://models.invalid", proxy: "${url}" }`,
      false,
    ],
    [
      'a near address behind a proxy',
      (url) => `{ base_url: "http://127.0.0.1:9", proxy: "${url}" }`,
      false,
    ],
    ['a name that has no address', () => `{ base_url: "http://models.invalid:1" }`, false],
  ];

  function assertNoBrief(isAsked: boolean): void {
    assert.equal(JSON.stringify(far.requests).includes(SECRET_TASK), false, 'the brief left');
    if (!isAsked) assert.equal(far.connections(), 0, 'a connection was opened');
  }

  for (const [what, entry, isAsked] of places) {
    it(`${what}: refused at submit, and again at start when the file was edited in between`, async () => {
      world.writeModels(`endpoints:\n  spot: ${entry(far.url)}\n`);
      const request = {
        task: `${SECRET_TASK}\n${script('say: Never.')}`,
        policy: 'local-only' as const,
        endpoint: 'spot',
        model: 'rehearsal',
        cwd: world.repo.root,
      };
      const refused = await world.bridge.submit(request, PERSON, world.repo.root);
      assert.equal(refused.status, 'refused');
      assert.equal(refused.failure?.kind, 'policy_refused', JSON.stringify(refused.failure));
      assert.match(refused.failure?.hint ?? '', /local-only|local endpoint/);
      await assert.rejects(
        world.bridge.complete(
          { prompt: SECRET_TASK, policy: 'local-only', endpoint: 'spot', model: 'rehearsal' },
          world.repo.root,
        ),
        { kind: 'policy_refused' },
      );
      assertNoBrief(isAsked);

      // Taken while `spot` was near; it waits, and by its turn `spot` is somewhere else.
      const near = 'endpoints:\n  spot: { base_url: URL, max_concurrent: 50 }\n';
      world.writeModels(`${near}pools: { default: { slots: 1 } }\n`);
      const first = await world.bridge.submit(
        { task: script('hang 60s', 'say: Late.'), cwd: world.repo.root },
        PERSON,
        world.repo.root,
      );
      await world.until(
        'the first session',
        () => world.bridge.job(first.id).sessionId !== null,
        60_000,
      );
      const second = await world.bridge.submit(request, PERSON, world.repo.root);
      assert.equal(second.status, 'queued');
      world.writeModels(`endpoints:\n  spot: ${entry(far.url)}\n`);
      await world.bridge.cancel(first.id, PERSON);
      const ended: JobRecord = await world.finished(second.id);
      // One that is near by its address is not asked what it is: it is not where the job was routed to.
      const kind = isAsked ? 'wrong_state' : 'policy_refused';
      assert.equal(ended.failure?.kind, kind, JSON.stringify(ended.failure));
      assert.equal(ended.status, isAsked ? 'failed' : 'refused');
      assert.equal(ended.proof, null);
      assert.equal(readReceipt(world.repo.stateDir, second.id)?.status, ended.status);
      assertNoBrief(isAsked);
    });
  }

  it('a near server that shows itself as a gateway by the time the job starts is not used', async () => {
    let isGateway = false;
    const near = await startRecorder((request) => {
      if (!isGateway && /health/.test(request.url)) return null;
      return liteLlm(request);
    });
    try {
      world.writeModels(
        `endpoints:\n  near: { base_url: URL }\n  spot: { base_url: "${near.url}", format: anthropic }\npools: { default: { slots: 1 } }\n`,
      );
      const submit = (endpoint: string, ...lines: string[]): Promise<JobRecord> =>
        world.bridge.submit(
          {
            task: `${SECRET_TASK}\n${script(...lines)}`,
            policy: 'local-only',
            endpoint,
            model: 'rehearsal',
            cwd: world.repo.root,
          },
          PERSON,
          world.repo.root,
        );
      const first = await submit('near', 'hang 60s', 'say: Late.');
      const second = await submit('spot', 'say: Never.');
      assert.equal(second.status, 'queued', JSON.stringify(second.failure));
      isGateway = true;
      await world.bridge.cancel(first.id, PERSON);
      const ended = await world.finished(second.id);
      assert.equal(ended.status, 'refused', JSON.stringify(ended.failure));
      assert.equal(ended.failure?.kind, 'policy_refused');
      assert.equal(JSON.stringify(near.requests).includes(SECRET_TASK), false);
    } finally {
      await near.close();
    }
  });

  it('a redirect of a near server is not followed, and takes no key with it', async () => {
    const near = await startRecorder(({ url, method, body }) => {
      if (/\/v1\/models/.test(url)) return { body: modelsPage('rehearsal') };
      if (method === 'POST' && /"report_number"/.test(body)) {
        const content = [{ type: 'tool_use', id: 't', name: 'report_number', input: { value: 7 } }];
        return { body: JSON.stringify({ type: 'message', role: 'assistant', content }) };
      }
      return { status: 307, headers: { location: `${far.url}${url}` } };
    });
    try {
      world.writeModels(
        `endpoints:\n  spot: { base_url: "${near.url}", format: anthropic, api_key: a-key, env: { CLAUDE_CODE_MAX_RETRIES: "0" } }\n`,
      );
      const job = await world.run({
        task: `${SECRET_TASK}\n${script('say: x')}`,
        policy: 'local-only',
      });
      assert.equal(job.status, 'failed', JSON.stringify(job.failure));
      assert.ok(
        near.requests.some(({ body }) => body.includes(SECRET_TASK)),
        'the near server was asked',
      );
      assert.equal(far.connections(), 0);
    } finally {
      await near.close();
    }
  });

  it('proxy variables of the environment do not move the bridge’s own connections', async () => {
    const proxy = {
      HTTP_PROXY: far.url,
      http_proxy: far.url,
      ALL_PROXY: far.url,
      NODE_USE_ENV_PROXY: '1',
    };
    Object.assign(world.env, proxy);
    const job = await world.run({
      task: `${SECRET_TASK}\n${script('say: Done.')}`,
      policy: 'local-only',
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(JSON.stringify(far.requests).includes(SECRET_TASK), false);
    assert.equal(far.connections(), 0);
  });

  it('a local-only job has no tool that reads the web', async () => {
    const job = await world.run({ task: script('say: Done.'), policy: 'local-only' });
    const [, tools = ''] = /"tools":(\[[^\]]*\])/.exec(world.log(job.id, 'events.jsonl')) ?? [];
    assert.doesNotMatch(tools, /Web/);
    assert.match(tools, /Bash/);
    assert.equal(job.network, 'not jailed', 'what its shell can reach is said, never implied');
  });
});
