import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

const CODER = '---\nname: coder\ndescription: Codes.\nmodel: opus\ntools: Read, Gerp\n---\nCode.\n';

interface Agent {
  readonly name: string;
  readonly path: string;
  readonly is_usable: boolean;
  readonly findings: readonly {
    readonly severity: string;
    readonly code: string;
    readonly range: { readonly line: number };
    readonly message: string;
    readonly hint: string;
    readonly replacement?: unknown;
  }[];
}

describe('check_agents', () => {
  let world: BridgeWorld;
  let coder: string;
  before(async () => {
    world = await bridgeWorld({ files: { '.claude/agents/coder.md': CODER } });
    coder = join(world.repo.root, '.claude/agents/coder.md');
    const secret = join(world.repo.scratch, 'private.md');
    writeFileSync(secret, '---\nname: outside\ndescription: D\n---\nPrivate.\n');
    symlinkSync(secret, join(world.repo.root, '.claude/agents/outside.md'));
  });
  after(() => world.dispose());

  const check = async (open: readonly { path: string; text: string }[] = []): Promise<Agent[]> => {
    const mcp = await McpTestClient.connect(world.start('server.cjs', ['--profile', 'ui']));
    const { fields, isError, text } = await mcp.call('check_agents', {
      ...{ cwd: world.repo.root, open: [...open] },
    });
    assert.equal(isError, false, text);
    assert.equal(await mcp.leave(), 0);
    return fields['agents'] as Agent[];
  };

  it('says what the doctor says, word for word, asks no endpoint, and names what was meant', async () => {
    const before = world.rehearsal.requests();
    const agents = await check();
    assert.equal(world.rehearsal.requests(), before);
    const doctor = await world.bridge.doctor(world.repo.root);
    assert.deepEqual(
      agents.flatMap(({ path, findings }) =>
        findings.map(({ severity, range, message, hint }) => ({
          ...{ file: path, line: range.line, severity, message, hint },
        })),
      ),
      doctor.agents,
    );
    const unknown = agents
      .flatMap(({ findings }) => findings)
      .find(({ code }) => code === 'unknown_tool');
    assert.deepEqual(unknown?.replacement, { found: 'Gerp', replace: 'Grep' });
  });

  it('takes the text of an open editor for that of the file', async () => {
    const agents = await check([{ path: coder, text: CODER.replace('Gerp', 'Grep') }]);
    const codes = agents.find(({ name }) => name === 'coder')?.findings.map(({ code }) => code);
    assert.deepEqual(codes, ['model_family']);
  });

  it('does not take it where a job would not read the file: a link that leads out', async () => {
    const path = join(world.repo.root, '.claude/agents/outside.md');
    const agents = await check([{ path, text: CODER }]);
    const outside = agents.find(({ name }) => name === 'outside');
    assert.deepEqual(
      [outside?.is_usable, outside?.findings.map(({ code }) => code)],
      [false, ['unreadable']],
    );
  });

  it('reads nothing in restricted mode', async () => {
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'ui', '--restricted']),
    );
    const { fields, isError } = await mcp.call('check_agents', { cwd: world.repo.root });
    assert.equal(isError, true);
    assert.equal(fields['error'].kind, 'restricted');
    assert.equal(fields['agents'], undefined);
    assert.equal(await mcp.leave(), 0);
  });
});
