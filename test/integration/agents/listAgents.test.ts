import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

const MODELS = `defaults: { model: rehearsal }
endpoints:
  rehearsal: { base_url: URL }
runners:
  loop: { coding_model: not-served, agents_dir: AGENTS }
`;

const FILES = {
  'README.md': 'A project\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews.\nmodel: sonnet\ntools: Read, WebFetch\n---\nReview it.\n',
  '.claude/agents/coder.md': '---\nname: coder\ndescription: Codes.\n---\nCode it.\n',
  '.claude/agents/broken.md': '---\ntools: [Read\n---\nBody\n',
  '.claude/skills/release/SKILL.md':
    '---\nname: release\ndescription: Releases.\n---\nRelease it.\n',
};

interface Agent {
  readonly name: string;
  readonly source: string;
  readonly is_usable: boolean;
  readonly shadowed_by: string | null;
  readonly model: string | null;
  readonly model_rule: string;
  readonly tools: readonly string[];
  readonly findings: readonly {
    readonly code: string;
    readonly range: { readonly line: number };
  }[];
}

describe('list_agents', () => {
  let world: BridgeWorld;
  let writeOwn: () => void;
  before(async () => {
    world = await bridgeWorld({ files: FILES });
    const own = join(world.repo.home, 'my agents');
    mkdirSync(own);
    writeFileSync(join(own, 'coder.md'), '---\nname: coder\ndescription: Mine.\n---\nMine.\n');
    writeFileSync(join(own, 'writer.md'), '---\nname: writer\ndescription: Writes.\n---\nWrite.\n');
    writeOwn = () => world.writeModels(MODELS.replace('AGENTS', JSON.stringify(own)));
    writeOwn();
  });
  after(() => world.dispose());

  it('says over a real server what each definition would get, where it would go, and what is odd', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs'));
    const { fields, text, isError } = await mcp.call('list_agents');
    assert.equal(isError, false, text);
    assert.match(text, /found 6 definitions with 4 findings/);
    const agents = fields['agents'] as Agent[];
    assert.deepEqual(
      agents.map(({ name, source, is_usable, shadowed_by, model_rule, findings }) => [
        name,
        source,
        is_usable,
        shadowed_by !== null,
        model_rule,
        findings.map(({ code, range }) => `${code}:${range.line}`).join(' '),
      ]),
      [
        ['broken', 'project-agent', false, false, 'default-model', 'front_matter_yaml:2'],
        ['coder', 'project-agent', true, false, 'coding-model', ''],
        [
          'reviewer',
          'project-agent',
          true,
          false,
          'default-model',
          'model_family:4 tool_not_offered:5',
        ],
        ['release', 'project-skill', true, false, 'default-model', ''],
        ['coder', 'global', true, true, 'coding-model', 'shadowed:0'],
        ['writer', 'global', true, false, 'default-model', ''],
      ],
    );
    const routes = fields['routes'] as {
      model: string;
      endpoint: string | null;
      served_model: string | null;
      failure: { kind: string } | null;
    }[];
    assert.deepEqual(
      routes.map(({ model, endpoint, served_model, failure }) => [
        model,
        endpoint,
        served_model,
        failure?.kind ?? null,
      ]),
      [
        ['rehearsal', 'rehearsal', 'rehearsal', null],
        ['not-served', null, null, 'model_unavailable'],
      ],
    );
    const coders = await mcp.call('list_agents', { name: 'coder' });
    assert.deepEqual(
      (coders.fields['agents'] as Agent[]).map(({ name, source }) => [name, source]),
      [
        ['coder', 'project-agent'],
        ['coder', 'global'],
      ],
    );
    assert.doesNotMatch(coders.text, /reviewer/);
    assert.equal(await mcp.leave(), 0);
  });

  it('a default model in the cloud is not reached, by an agent neither', async () => {
    world.writeModels(
      'defaults: { model: rehearsal }\nendpoints:\n  rehearsal: { base_url: URL, locality: cloud }\n',
    );
    const { routes } = await world.bridge.listAgents({ cwd: world.repo.root });
    const job = await world.run({ runner: 'loop', agent: 'reviewer', task: 'x' });
    assert.equal(job.status, 'refused');
    assert.deepEqual(
      routes.map(({ endpoint, failure }) => [endpoint, failure?.kind]),
      [[null, job.failure?.kind]],
    );
    writeOwn();
  });

  it('completes names of agents', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs'));
    const { completion } = await mcp.client.complete({
      ref: { type: 'ref/prompt', name: 'delegate' },
      argument: { name: 'agent', value: 'r' },
    });
    assert.deepEqual(completion.values, ['release', 'reviewer', 'broken', 'coder', 'writer']);
    assert.equal(await mcp.leave(), 0);
  });

  it('asks no endpoint in restricted mode', async () => {
    const before = world.rehearsal.requests();
    const mcp = await McpTestClient.connect(world.start('server.cjs', ['--restricted']));
    const { fields } = await mcp.call('list_agents');
    assert.equal(fields['is_routed'], false);
    assert.deepEqual(fields['routes'], []);
    assert.equal((fields['agents'] as Agent[]).length, 6);
    assert.equal(world.rehearsal.requests(), before);
    assert.equal(await mcp.leave(), 0);
  });

  it('says which folder does not exist', async () => {
    await assert.rejects(world.bridge.listAgents({ cwd: '/nowhere' }), { kind: 'bad_argument' });
  });
});
