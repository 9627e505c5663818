import { after, before, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BridgeWorld, bridgeWorld, ROOT, script } from '../../support/bridgeWorld.ts';
import { startCallingModel } from '../../support/mcpClientModel.ts';
import { runClaude } from '../rehearsal/runClaude.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const DELEGATE = join(ROOT, 'bin/delegate.cjs');

describeWithClaude('Claude Code as the client of `delegate mcp`', () => {
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  it('claude mcp add, then claude mcp list says it is connected', async () => {
    const claude = promisify(execFile);
    const options = {
      cwd: world.repo.root,
      env: {
        ...world.env,
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      encoding: 'utf8' as const,
    };
    const program = join(ROOT, 'node_modules/.bin/claude');
    const add = [
      'mcp',
      'add',
      '-s',
      'user',
      'delegate',
      '--',
      process.execPath,
      DELEGATE,
      'mcp',
      '--config',
      world.modelsFile,
    ];
    await claude(program, add, options);
    const { stdout } = await claude(program, ['mcp', 'list'], options);
    assert.match(stdout, /delegate: .*Connected/);
  });

  it('its model lists models, runs a job and reads where it ran', async () => {
    const model = await startCallingModel([
      { name: 'mcp__delegate__list_models', input: {} },
      {
        name: 'mcp__delegate__run_agent',
        input: { task: script('write made.txt: x', 'say: It is made.'), wait_s: 90 },
      },
    ]);
    const home = join(world.repo.scratch, 'claude-home');
    mkdirSync(home);
    const mcpConfig = join(world.repo.scratch, 'mcp.json');
    const server = { command: process.execPath, args: [DELEGATE, 'mcp'], env: world.env };
    writeFileSync(mcpConfig, JSON.stringify({ mcpServers: { delegate: server } }));
    try {
      const { exitCode, result } = await runClaude({
        cwd: world.repo.root,
        home,
        baseUrl: model.url,
        prompt: 'Delegate it.',
        args: [
          '--mcp-config',
          mcpConfig,
          '--allowedTools',
          'mcp__delegate__list_models,mcp__delegate__run_agent',
        ],
      });
      assert.equal(exitCode, 0);
      assert.equal(result.result, 'done');
      const last = JSON.stringify(model.requests.at(-1)?.messages);
      assert.match(last, /No model was asked · asked 1 endpoint, 1 up/);
      assert.match(last, /Answered by rehearsal at rehearsal \(local/);
      assert.match(last, /It is made\./);
      const [job] = world.bridge.list();
      assert.equal(job?.client.name, 'claude-code');
      assert.equal(job.status, 'done');
      assert.equal(job.cwd, world.repo.root, 'CLAUDE_PROJECT_DIR is the folder');
      assert.ok(job.client.session, 'the session of the client is on the record');
    } finally {
      await model.close();
    }
  });
});
