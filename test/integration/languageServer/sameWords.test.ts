import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ConfigProblem } from '../../../src/config/problem.ts';
import { formatProblem } from '../../../src/config/problem.ts';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { runCommand } from '../../support/cliRun.ts';
import { LanguageTestClient } from '../../support/languageClient.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { upFacts } from '../../unit/languageServer/support/modelsWorld.ts';

/** A text for every rule that a readable file can break at once. */
const ALL = `endpoints:
  live: { base_url: URL, max_concurrent: 50 }
  path: { base_url: "http://127.0.0.1:9/v1/messages" }
  odd: { base_url: "http://127.0.0.1:11", formt: auto }
  twin: { base_url: "http://127.0.0.1:10", backend: llamacpp, api_key: sk-very-hidden-key }
  twin2: { base_url: "http://127.0.0.1:10/", api_key: sk-very-hidden-key }
  far: { base_url: "http://8.8.8.8:1", locality: local }
  old: { base_url: "http://127.0.0.1:12", headers: { A: "\${OLD}" } }
  none: { backend: vllm }
pools:
  glm-: { slots: 2 }
  qwen-: { slots: "2" }
failover:
  chains:
    glm-a: [glm-a, qwen-a, qwen-a, gpt-a, glm-b, unheard]
models:
  glm-a: { billing: flat, context_window: 4096 }
  qwen-a: { billing: metered, priced_on: 2026-11-01 }
  claude-mine: {}
gates:
  tests: { timeout_s: 5 }
ledger: {}
defaults: { model: anthropic/x, probe_timeout_s: 500 }
`;

const CASES: [title: string, text: string, codes: readonly string[]][] = [
  [
    'everything at once',
    ALL,
    [
      ...[
        'anthropic_name',
        'bad_reference',
        'base_url_path',
        'chain_billing',
        'chain_pinned',
        'chain_pool',
      ],
      ...[
        'chain_repeat',
        'chain_self',
        'literal_secret',
        'missing_key',
        'not_active',
        'old_spelling',
      ],
      ...['out_of_range', 'public_address', 'same_endpoint', 'small_window', 'too_many_slots'],
      ...['unknown_key', 'unknown_model', 'wrong_type'],
    ],
  ],
  ['a duplicate key', 'pools: {}\npools: {}\n', ['duplicate_key']],
  ['tabs', 'pools:\n\tglm-: {}\n', ['tab']],
];

/** The server, the command line and the editor say the same words of the same file. */
describe('problems of models.yaml', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({ context: 8192, slots: 2 });
  });
  after(() => world.dispose());

  const clients: LanguageTestClient[] = [];
  afterEach(() => {
    // One of a failed test is still there.
    for (const { child } of clients.splice(0)) child.kill('SIGKILL');
  });

  for (const [title, text, codes] of CASES) {
    it(`are the same from all who tell them: ${title}`, async () => {
      world.writeModels(text);
      const file = world.modelsFile;

      const doctor = JSON.parse((await runCommand(world, ['doctor', '--json'])).stdout) as {
        problems: ConfigProblem[];
      };
      const own = doctor.problems.filter((problem) => problem.file === file);
      const found = new Set(own.map(({ code }) => code));
      assert.deepEqual(
        codes.filter((code) => !found.has(code)),
        [],
        'rules that nobody told',
      );

      const printed = (await runCommand(world, ['doctor'])).stdout;
      for (const problem of own)
        assert.ok(printed.includes(formatProblem(problem)), formatProblem(problem));

      const server = await McpTestClient.connect(world.start('server.cjs'));
      const { fields } = await server.call('list_models', {});
      await server.leave();
      const listed = (fields['problems'] as ConfigProblem[]).filter((each) => each.file === file);
      assert.deepEqual(listed.map(formatProblem), own.map(formatProblem));

      const endpoint = (fields['endpoints'] as { name: string; base_url: string }[]).find(
        ({ name }) => name === 'live',
      );
      const client = await LanguageTestClient.start({
        env: world.env,
        cwd: world.repo.root,
        folders: [world.repo.root],
      });
      if (endpoint !== undefined) {
        const url = endpoint.base_url;
        const now = { asked_at: new Date().toISOString() };
        client.live = () => upFacts({ live: { url, slots: 2, models: { rehearsal: 8192 } } }, now);
      }
      clients.push(client);
      const uri = await client.open(file, readFileSync(file, 'utf8'));
      const shown = await client.diagnostics(uri, (all) => all.length >= own.length);
      assert.equal(await client.stop(), 0);
      const asPrinted = shown
        .filter(({ source }) => source === 'delegation-bridge')
        .map(({ message, range: { start } }) => [start.line, start.character, message]);
      const asTold = own.map((problem) => [
        Math.max(problem.line - 1, 0),
        Math.max(problem.column - 1, 0),
        formatProblem(problem).replace(/^.*?models\.yaml(:\d+:\d+)?: /, ''),
      ]);
      assert.deepEqual(asPrinted.sort(), asTold.sort());
      assert.doesNotMatch(JSON.stringify([doctor.problems, shown]), /very-hidden/);
    });
  }
});
