import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { JobRequest } from '../../../src/protocol/job.ts';
import { findLiteLlm } from '../../../tools/liteLlm.mjs';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { startLiteLlm } from '../../support/liteLlm.ts';
import type { ServerProgram } from '../../support/serverProgram.ts';
import { skipBecause } from '../../support/skipBecause.ts';

const KEY = 'sk-litellm-test-key';
const LIMIT_MS = 120_000;
const found = await findLiteLlm();

/** The aliases of delegate-local's example, each by another way through the proxy. */
const ALIASES = {
  'local-qwen-3-6-35b': 'openai',
  'glm-coding-plan': 'anthropic',
  'deepseek-v4-flash': 'openai',
} as const;

const TASK = `Write the file and check it.
\`\`\`rehearsal
write made.txt: by way of the proxy
run: cat made.txt
say: Wrote made.txt and read it back.
\`\`\``;

describe(`the loop runner through a real LiteLLM${found.ok ? '' : ` (skipped: ${found.reason})`}`, function () {
  this.timeout(LIMIT_MS);
  let world: BridgeWorld;
  let proxy: ServerProgram;

  before(async function () {
    if (!found.ok) skipBecause(this, found.reason);
    world = await bridgeWorld({ env: { PROXY_KEY: KEY } });
    const behind = { model: 'rehearsal', url: world.rehearsal.url };
    proxy = await startLiteLlm({
      binary: found.path,
      masterKey: KEY,
      models: Object.fromEntries(
        Object.entries(ALIASES).map(([alias, provider]) => [alias, { provider, ...behind }]),
      ),
    });
    world.writeModels(
      `endpoints:\n  proxy: { base_url: ${proxy.url}, backend: litellm, api_key: "\${env:PROXY_KEY}", max_concurrent: 4 }\n`,
    );
  });
  after(async () => {
    if (!found.ok) return;
    await proxy.stop();
    await world.dispose();
  });

  for (const alias of Object.keys(ALIASES)) {
    it(`does a job as ${alias}, and does not take its upstream's name for a stand-in`, async () => {
      const job = await run({ model: alias });
      assert.equal(job.status, 'done', JSON.stringify(job.failure));
      assert.equal(job.result, 'Wrote made.txt and read it back.');
      assert.deepEqual(
        job.filesChanged.map(({ path }) => path),
        ['made.txt'],
      );
      assert.deepEqual(job.commands, { run: 1, failed: 0, lastExit: 0 });
      assert.equal(job.endpoint, 'proxy');
      assert.equal(job.fallback, null);
      assert.equal(job.locality, 'unknown');
      assert.equal(job.proof?.endpoint, 'proxy');
      assert.ok((job.usage.input ?? 0) > 0 && (job.usage.output ?? 0) > 0);
    });
  }

  it('is refused to a local-only job, because a gateway may send a request anywhere', async () => {
    const job = await run({ model: 'local-qwen-3-6-35b', policy: 'local-only' });
    assert.equal(job.status, 'refused');
    assert.equal(job.failure?.kind, 'policy_refused');
  });

  it('keeps its key out of everything that is written', async () => {
    const job = await run({ model: 'glm-coding-plan' });
    for (const name of ['events.jsonl', 'requests.jsonl', 'transcript.txt', 'history.jsonl'])
      assert.ok(!world.log(job.id, name).includes(KEY), name);
    assert.ok(!JSON.stringify(job).includes(KEY));
  });

  function run(request: Pick<JobRequest, 'model' | 'policy'>) {
    return world.run({ task: TASK, runner: 'loop', ...request });
  }
});
