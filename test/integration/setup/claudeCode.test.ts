import { afterEach, beforeEach, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BridgeWorld, bridgeWorld, ROOT } from '../../support/bridgeWorld.ts';
import { startCallingModel } from '../../support/mcpClientModel.ts';
import { describeWithClaude } from '../../support/withClaude.ts';
import { type ClaudeOutcome, runClaude } from '../rehearsal/runClaude.ts';

const CLAUDE = join(ROOT, 'node_modules/.bin/claude');

describeWithClaude('Claude Code after delegate setup', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  const at = (name: string): string => join(world.repo.home, name);

  beforeEach(async () => {
    world = await bridgeWorld();
  });
  afterEach(() => world.dispose());

  const claude = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(CLAUDE, args, {
      cwd: world.repo.root,
      env: {
        ...world.env,
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    });
    return stdout;
  };

  /** One turn of a session that reads the user's settings, and what it sent to its model. */
  const session = async (prompt: string): Promise<{ outcome: ClaudeOutcome; sent: string }> => {
    const model = await startCallingModel([]);
    try {
      const outcome = await sessionOn(model.url, prompt);
      return { outcome, sent: JSON.stringify(model.requests) };
    } finally {
      await model.close();
    }
  };

  const sessionOn = (
    baseUrl: string,
    prompt: string,
    args: readonly string[] = [],
  ): Promise<ClaudeOutcome> =>
    runClaude({
      cwd: world.repo.root,
      home: world.repo.home,
      baseUrl,
      prompt,
      // Servers of user scope are left out by --strict-mcp-config: the same file again, by name.
      args: ['--setting-sources', 'user', '--tools', 'Agent,Bash', ...args],
      env: world.env,
    });

  it('has the server connected, the skill and the relay agent; and none of them after removal', async () => {
    assert.equal((await world.cli('setup', '--yes')).code, 0);
    assert.match(await claude('mcp', 'list'), /delegate: .*\/bin\/delegate mcp - .*Connected/);
    const shown = await claude('mcp', 'get', 'delegate');
    assert.match(shown, /Scope: User config/);
    const { outcome } = await session('Hello');
    const init = outcome.messages.find(({ subtype }) => subtype === 'init');
    assert.ok((init?.['skills'] as string[]).includes('delegate'), JSON.stringify(init));
    assert.ok((init?.['agents'] as string[]).includes('delegate-relay'));

    // Claude Code has written its registry anew by now: the structure says what is ours.
    assert.equal((await world.cli('setup', '--remove', '--yes')).code, 0);
    assert.match(await claude('mcp', 'list'), /No MCP servers configured/);
    const after = await session('Please delegate the parser port.');
    const bare = after.outcome.messages.find(({ subtype }) => subtype === 'init');
    assert.ok(!(bare?.['skills'] as string[]).includes('delegate'));
    assert.ok(!(bare?.['agents'] as string[]).includes('delegate-relay'));
    assert.doesNotMatch(after.sent, /Delegation Bridge is set up here/);
    assert.ok(!fs.existsSync(at('.claude/settings.json')));
  });

  it('hears of the bridge when the prompt speaks of delegating, and only then', async () => {
    assert.equal((await world.cli('setup', 'hook', '--yes')).code, 0);
    const asked = await session('Please delegate the parser port to the local model.');
    assert.match(asked.sent, /Delegation Bridge is set up here/);
    assert.equal(asked.outcome.result.result, 'done');
    assert.doesNotMatch(
      (await session('Add a delegate method.')).sent,
      /Delegation Bridge is set up/,
    );
  });

  it('runs the relay agent on Haiku with the five tools that it needs, and no other', async () => {
    assert.equal((await world.cli('setup', '--yes')).code, 0);
    const call = {
      name: 'Agent',
      input: {
        description: 'relay',
        subagent_type: 'delegate-relay',
        prompt: 'model: x\n---\nDo it.',
      },
    };
    const model = await startCallingModel([call]);
    try {
      const args = ['--allowedTools', 'Agent', '--mcp-config', at('.claude.json')];
      const outcome = await sessionOn(model.url, 'Hand it on.', args);
      assert.equal(outcome.exitCode, 0);
      const first = model.requests.find((request) =>
        /haiku/.test((request as { model?: string }).model ?? ''),
      );
      assert.ok(first, 'the relay has asked its model');
      assert.deepEqual(
        first.tools
          .map(({ name }) => name)
          .filter((name) => name !== 'DeferredToolPlaceholder')
          .sort(),
        ['cancel_job', 'job_log', 'job_status', 'run_agent', 'wait_jobs'].map(
          (name) => `mcp__delegate__${name}`,
        ),
      );
    } finally {
      await model.close();
    }
  });

  it('keeps what set-up wrote while it writes its registry itself, both at once', async () => {
    await claude('mcp', 'add', '-s', 'user', 'first', '--', 'true');
    const adds = ['a', 'b', 'c'].map((name) =>
      claude('mcp', 'add', '-s', 'user', name, '--', 'true'),
    );
    const [done] = await Promise.all([world.cli('setup', 'registration', '--yes'), ...adds]);
    // The plan may be overtaken between showing and writing: then nothing is written and it says so.
    if (done.code !== 0) {
      assert.match(done.stdout, /changed since it was shown|has just been changed/);
      assert.equal((await world.cli('setup', 'registration', '--yes')).code, 0);
    }
    const { mcpServers } = JSON.parse(fs.readFileSync(at('.claude.json'), 'utf8')) as {
      mcpServers: object;
    };
    assert.deepEqual(Object.keys(mcpServers).sort(), ['a', 'b', 'c', 'delegate', 'first']);
    assert.ok(!fs.existsSync(`${at('.claude.json')}.lock`));
  });

  it('waits for Claude Code to finish writing', async () => {
    const lock = `${at('.claude.json')}.lock`;
    fs.mkdirSync(lock);
    const done = world.cli('setup', 'registration', '--yes');
    await world.until('the launcher, which comes just before', () =>
      fs.existsSync(join(world.repo.stateDir, 'bin/delegate')),
    );
    assert.ok(!fs.existsSync(at('.claude.json')));
    fs.rmdirSync(lock);
    assert.equal((await done).code, 0);
    assert.ok(fs.existsSync(at('.claude.json')));
  });
});
