import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';

describe('delegate setup', () => {
  let world: BridgeWorld;
  const at = (name: string): string => join(world.repo.home, name);
  const setup = (...args: string[]) => world.cli('setup', ...args);
  let atFirst: string[];
  before(async () => {
    world = await bridgeWorld();
    atFirst = fs.readdirSync(world.repo.home);
  });
  after(() => world.dispose());

  it('shows what it would write, and writes nothing without leave', async () => {
    const dry = await setup('--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(
      dry.stdout,
      /registration: MCP server "delegate" for every project of yours \(absent\)/,
    );
    assert.ok(dry.stdout.includes(`${at('.claude.json')}: new`));
    assert.match(dry.stdout, /\+ {6}"command": ".*\/bin\/delegate"/);
    assert.match(dry.stdout, /\+name: delegate-relay/);
    assert.ok(!fs.existsSync(at('.claude')));

    const asked = await setup('hook');
    assert.equal(asked.code, 1);
    assert.match(asked.stdout, /Nothing was written\. To write it: the same with --yes\./);
    assert.ok(!fs.existsSync(at('.claude')));
  });

  it('writes all parts, and what it registered is a server', async () => {
    const done = await setup('--yes');
    assert.equal(done.code, 0, done.stdout);
    assert.match(
      done.stdout,
      /registration: installed\nskill: installed\nhook: installed\nrelay: installed\n/,
    );
    const { mcpServers } = JSON.parse(fs.readFileSync(at('.claude.json'), 'utf8')) as {
      mcpServers: { delegate: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.delegate;
    assert.ok(done.stdout.includes(`Claude Code starts ${command} mcp.`));
    const { stdout } = await promisify(execFile)(command, [...args, '--help'], { env: world.env });
    assert.match(stdout, /Usage: delegate mcp/);
  });

  it('says in JSON where each part stands', async () => {
    const { code, stdout } = await setup('--dry-run', '--json');
    assert.equal(code, 0);
    const answer = JSON.parse(stdout) as {
      v: number;
      parts: { state: string; changes: object[] }[];
    };
    assert.equal(answer.v, 1);
    assert.deepEqual(
      answer.parts.map(({ state, changes }) => [state, changes.length]),
      Array.from({ length: 4 }, () => ['installed', 0]),
    );
  });

  it('removes one part, then all, and keeps what was edited', async () => {
    const one = await setup('--remove', 'relay', '-y');
    assert.equal(one.code, 0, one.stderr);
    assert.ok(!fs.existsSync(at('.claude/agents')));
    assert.ok(fs.existsSync(at('.claude/skills/delegate/SKILL.md')));

    fs.appendFileSync(at('.claude/skills/delegate/SKILL.md'), 'mine\n');
    const all = await setup('--remove', '--yes');
    assert.equal(all.code, 1);
    assert.match(
      all.stdout,
      /SKILL\.md has a text that set-up did not write, or that was changed since/,
    );
    assert.match(all.stdout, /With --force/);
    assert.ok(!fs.existsSync(at('.claude.json')));
    assert.equal((await setup('--remove', '--force', '--yes')).code, 0);
    assert.deepEqual(fs.readdirSync(world.repo.home), atFirst);
  });

  it('names the parts when it is asked for another', async () => {
    const { code, stderr } = await setup('statusline');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /there is no part "statusline"\.\nThe parts are registration, skill, hook, relay\./,
    );
  });

  it('shows of one long line the changed part alone, and no escape sequence', async () => {
    fs.writeFileSync(at('.claude.json'), `{"x": "${'y'.repeat(500)}\\u001b[31m"}`);
    const { stdout } = await setup('registration', '--dry-run');
    assert.match(stdout, /\.claude\.json: changed at character 2\n\+"mcpServers": \{"delegate"/);
    assert.ok(!stdout.includes('yyyy'));
    fs.mkdirSync(at('.claude'));
    fs.writeFileSync(at('.claude/settings.json'), '{\n  "a": "\u001b[31mred",\n  "b": 1\n}\n');
    const hook = await setup('hook', '--dry-run');
    assert.match(hook.stdout, /is not valid JSON/);
    assert.ok(!hook.stdout.includes('\u001b'));
  });
});
