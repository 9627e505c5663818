import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fromWire } from '../../../src/protocol/keys.ts';
import { setup } from '../../../src/protocol/ui/setup.ts';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

describe('the tool setup', () => {
  let world: BridgeWorld;
  const connect = (...args: string[]): Promise<McpTestClient> =>
    McpTestClient.connect(world.start('server.cjs', args));
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  it('plans, writes what was planned, and removes it, as its contract says', async () => {
    const client = await connect('--profile', 'ui');
    const before = fs.readdirSync(world.repo.home);
    // The registry may be long and hold keys: an answer has neither it nor what of it stays.
    fs.writeFileSync(
      join(world.repo.home, '.claude.json'),
      JSON.stringify({
        secret: 'sk-not-to-be-seen',
        history: 'x'.repeat(500_000),
        mcpServers: { a: {} },
      }),
    );
    const registry = fs.readFileSync(join(world.repo.home, '.claude.json'), 'utf8');
    const plan = await client.call('setup', { action: 'plan-install' });
    assert.equal(plan.isError, false, plan.text);
    const parsed = setup.output.parse(plan.fields);
    assert.equal(plan.fields['truncated'], undefined);
    assert.ok(!JSON.stringify(plan).includes('sk-not-to-be-seen'));
    const expect = parsed.parts.flatMap(({ changes }) =>
      changes.map(({ file, before_sha256 }) => ({ file, before_sha256 })),
    );
    assert.equal(expect.length, 5);
    const done = await client.call('setup', { action: 'install', expect });
    const { parts } = fromWire(setup.output.parse(done.fields)) as {
      parts: { state: string; problem: string | null }[];
    };
    assert.deepEqual(
      parts.map(({ state, problem }) => [state, problem]),
      Array(4).fill(['installed', null]),
    );
    const gone = await client.call('setup', { action: 'remove' });
    assert.equal(gone.isError, false);
    assert.equal(fs.readFileSync(join(world.repo.home, '.claude.json'), 'utf8'), registry);
    fs.rmSync(join(world.repo.home, '.claude.json'));
    assert.deepEqual(fs.readdirSync(world.repo.home), before);
    assert.equal(await client.leave(), 0);
  });

  it('is not there for models, and withheld in a restricted window, plan included', async () => {
    const model = await connect();
    const { tools } = await model.client.listTools();
    assert.ok(!tools.some(({ name }) => name === 'setup'));
    await model.leave();
    const restricted = await connect('--profile', 'ui', '--restricted');
    const { isError, fields } = await restricted.call('setup', { action: 'plan-install' });
    assert.equal(isError, true);
    assert.equal((fields['error'] as { kind: string }).kind, 'restricted');
    await restricted.leave();
  });
});
