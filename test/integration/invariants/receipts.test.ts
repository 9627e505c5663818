import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, it } from 'mocha';
import type { JobRecord, JobRequest } from '../../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { readReceipt } from './receipts.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const MODELS = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50, env: { CLAUDE_CODE_MAX_RETRIES: "0" } }
`;
const HANGING = script('hang 60s', 'say: Never.');

describeWithClaude('invariant 9: every job that was ever queued has a receipt', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  before(async () => (world = await bridgeWorld({ models: MODELS })));
  after(async () => world.dispose());

  async function submit(request: JobRequest): Promise<string> {
    const { id } = await world.bridge.submit(
      { cwd: world.repo.root, ...request },
      PERSON,
      world.repo.root,
    );
    return id;
  }

  async function running(): Promise<string> {
    const id = await submit({ task: HANGING });
    await world.until(
      'the session',
      () => (world.bridge.job(id).sessionId === null ? null : true),
      60_000,
    );
    return id;
  }

  const endings: Readonly<
    Record<string, () => Promise<{ id: string; status: JobRecord['status']; kind: string | null }>>
  > = {
    success: async () => ({
      id: await submit({ task: script('say: Done.') }),
      status: 'done',
      kind: null,
    }),
    failure: async () => ({
      id: await submit({ task: script('status 500', 'say: Never.') }),
      status: 'failed',
      kind: 'backend_error',
    }),
    timeout: async () => ({
      id: await submit({ task: HANGING, timeoutS: 4 }),
      status: 'timeout',
      kind: 'timeout',
    }),
    'cancelled while it runs': async () => {
      const id = await running();
      await world.bridge.cancel(id, PERSON);
      return { id, status: 'cancelled', kind: 'cancelled' };
    },
    'cancelled while it waits': async () => {
      world.writeModels(`${MODELS}pools: { default: { slots: 1 } }\n`);
      const first = await running();
      const id = await submit({ task: HANGING });
      assert.equal(world.bridge.job(id).status, 'queued');
      assert.equal(readReceipt(world.repo.stateDir, id), null, 'it has not ended yet');
      await world.bridge.cancel(id, PERSON);
      await world.bridge.cancel(first, PERSON);
      world.writeModels(MODELS);
      return { id, status: 'cancelled', kind: 'cancelled' };
    },
    refusal: async () => ({
      id: await submit({ task: script('say: Never.'), model: 'nobody-serves-this' }),
      status: 'refused',
      kind: 'model_unavailable',
    }),
    'a worktree that cannot be had': async () => {
      world.repo.write('.git/worktrees', '');
      const id = await submit({ task: script('say: Never.') });
      await world.finished(id);
      rmSync(world.repo.path('.git/worktrees'));
      return { id, status: 'failed', kind: 'isolation_failed' };
    },
    'a host that was killed': async () => {
      const id = await running();
      process.kill(world.bridge.job(id).host.pid ?? 0, 'SIGKILL');
      await world.until('the lost job', () => {
        world.bridge.list();
        return world.bridge.job(id).status === 'lost';
      });
      return { id, status: 'lost', kind: 'lost' };
    },
  };
  // The one that blocks the folder of the worktrees goes before there is a worktree.
  const order = ['a worktree that cannot be had', ...Object.keys(endings)];
  for (const name of new Set(order)) {
    it(name, async () => {
      const ending = endings[name];
      assert.ok(ending !== undefined);
      const { id, status, kind } = await ending();
      const job = await world.finished(id);
      const receipt = readReceipt(world.repo.stateDir, id);
      assert.notEqual(receipt, null, 'there is no receipt');
      assert.deepEqual(receipt, job, 'the receipt is what the job says of itself');
      assert.equal(receipt?.status, status, JSON.stringify(receipt?.failure));
      assert.equal(receipt?.failure?.kind ?? null, kind, JSON.stringify(receipt?.failure));
      assert.notEqual(receipt?.finishedAt, null);
      assert.equal(receipt?.review.by, null, 'nobody has looked at it yet');
    });
  }
});
