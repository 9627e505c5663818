import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { skipBecause } from '../../support/skipBecause.ts';
import { type BridgeWorld, bridgeWorld, ROOT, script } from '../../support/bridgeWorld.ts';
import { itWithClaude } from '../../support/withClaude.ts';

/** util-linux's `script` gives a program a terminal. */
const SCRIPT = '/usr/bin/script';

describe('delegate on a terminal', () => {
  let world: BridgeWorld;
  before(async function () {
    if (process.platform !== 'linux' || !existsSync(SCRIPT)) {
      skipBecause(this, 'a terminal needs the program "script" of util-linux');
    }
    world = await bridgeWorld();
  });
  after(() => world?.dispose());

  /** Types each answer at the sight of its prompt; gives all that the terminal showed. */
  async function type(
    args: readonly string[],
    typed: readonly (readonly [string, string])[],
  ): Promise<string> {
    const quoted = [process.execPath, join(ROOT, 'bin/delegate.cjs'), ...args].map(
      (part) => `'${part.replaceAll("'", `'\\''`)}'`,
    );
    const child = spawn(SCRIPT, ['-q', '-f', '-e', '-c', quoted.join(' '), '/dev/null'], {
      cwd: world.repo.root,
      env: { ...world.env, TERM: 'xterm', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let shown = '';
    let next = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      const step = typed[next];
      if (step === undefined || !shown.includes(step[0])) return;
      next += 1;
      child.stdin.write(step[1]);
    });
    await new Promise((resolve) => child.once('close', resolve));
    assert.equal(next, typed.length, `not every prompt came:\n${shown}`);
    return shown;
  }

  it('a secret is asked for and not shown', async () => {
    const shown = await type(['secret', 'set', 'key'], [['(not shown): ', 'never-to-be-seen\r']]);
    assert.match(shown, /Kept key\./);
    assert.doesNotMatch(shown, /never-to-be-seen/);
    assert.deepEqual(world.bridge.secrets.state().names, ['key']);
  });

  itWithClaude('Ctrl+C asks: c cancels the job', async () => {
    const shown = await type(
      ['run', script('hang 60s')],
      [
        ['running', '\u0003'],
        ['cancel it (c)? ', 'c\r'],
      ],
    );
    assert.match(shown, /cancelled after/);
    assert.equal(world.bridge.list()[0]?.status, 'cancelled');
  });

  itWithClaude('Ctrl+C asks: Ctrl+C again leaves it running', async () => {
    const shown = await type(
      ['run', script('hang 60s')],
      [
        ['running', '\u0003'],
        ['cancel it (c)? ', '\u0003'],
      ],
    );
    assert.match(shown, /The job goes on\./);
    assert.equal(world.bridge.list()[0]?.status, 'running');
  });
});
