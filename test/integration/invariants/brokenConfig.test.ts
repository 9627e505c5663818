import assert from 'node:assert/strict';
import { after, before, it } from 'mocha';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const GOOD = 'endpoints:\n  rehearsal: { base_url: URL, max_concurrent: 50 }\n';
/** With the line that the message has to name; in ways that leave less and less of the file readable. */
const BROKEN: readonly (readonly [what: string, text: string, line: number])[] = [
  ['a list that is not closed', `${GOOD}gates: [1, }\n`, 3],
  ['a tab for indentation', `${GOOD}\tgates: 1\n`, 3],
  ['a value of the wrong kind', 'endpoints:\n  rehearsal:\n    base_url: 7\n', 3],
  ['text that is no YAML', `${GOOD}"never: ended\n`, 3],
];

describeWithClaude('a models.yaml that breaks while a server runs', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  let mcp: McpTestClient;
  before(async () => {
    world = await bridgeWorld({ models: GOOD });
    mcp = await McpTestClient.connect(world.start('server.cjs'));
  });
  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await world.dispose();
  });

  for (const [what, text, line] of BROKEN) {
    it(`${what}: every tool says where and why, and the last good one serves on`, async () => {
      world.writeModels(GOOD);
      const { fields: before } = await mcp.call('list_models');
      assert.notEqual(before['config_stale'], true, JSON.stringify(before['problems']));
      world.writeModels(text);
      const { tools } = await mcp.client.listTools();
      const args: Record<string, Record<string, unknown>> = {
        run_agent: { task: script('say: Fine.'), wait_s: 90 },
        run_batch: { tasks: [{ task: script('say: Fine.'), runner: 'loop' }], wait_s: 90 },
        explain_route: {},
        list_models: {},
        list_agents: {},
        list_jobs: {},
        wait_jobs: { job_ids: ['none'] },
        register_endpoint: { name: '..', base_url: 'http://127.0.0.1:9' },
      };
      for (const { name } of tools) {
        const { fields, text: said } = await mcp.call(name, args[name] ?? { job_id: 'none' });
        assert.equal(fields['config_stale'], true, `${name}: ${said}`);
        const [problem] = fields['problems'];
        assert.equal(problem.file, world.modelsFile, name);
        assert.equal(problem.line, line, `${name}: ${JSON.stringify(problem)}`);
        assert.ok(problem.column >= 1 && problem.message.length > 5, name);
        assert.match(said, /models\.yaml/, name);
        if (name === 'explain_route') assert.equal(fields['endpoint'], 'rehearsal', said);
        if (name === 'run_agent') assert.equal(fields['job']?.status, 'done', said);
        if (name === 'run_batch') assert.equal(fields['succeeded'], 1, said);
      }
    });
  }
});
