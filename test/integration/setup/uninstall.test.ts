import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type BridgeWorld, bridgeWorld, ROOT, script } from '../../support/bridgeWorld.ts';
import { itWithClaude } from '../../support/withClaude.ts';

const { scripts } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('the uninstall hook of the extension', () => {
  let world: BridgeWorld;
  const at = (name: string): string => join(world.repo.home, name);
  const launcher = (): string => join(world.repo.stateDir, 'bin/delegate');
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  /** As VS Code does it: forks the file that follows "node". */
  const uninstall = (): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve) => {
      const [program, file = ''] = (scripts['vscode:uninstall'] ?? '').split(' ');
      assert.equal(program, 'node');
      const child = fork(join(ROOT, file), ['--type=extension-post-uninstall'], {
        silent: true,
        env: world.env,
        cwd: world.repo.scratch,
      });
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.once('close', (code) => resolve({ code, output }));
    });

  it('does nothing where nothing is', async () => {
    const { code, output } = await uninstall();
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /removed|Worktree/);
  });

  it('leaves the set-up alone while the launcher runs another installation', async () => {
    assert.equal((await world.cli('setup', '--yes')).code, 0);
    const text = fs.readFileSync(launcher(), 'utf8');
    const other = join(world.repo.scratch, 'other', 'delegate.cjs');
    fs.mkdirSync(join(world.repo.scratch, 'other'));
    fs.writeFileSync(other, '');
    fs.writeFileSync(launcher(), text.replace(/^script=.*$/m, `script='${other}'`));
    const { code, output } = await uninstall();
    assert.equal(code, 0, output);
    assert.match(output, /The set-up stays: .* runs another installation/);
    assert.ok(fs.existsSync(launcher()) && fs.existsSync(at('.claude.json')));
    fs.writeFileSync(launcher(), text);
  });

  it('removes launcher and set-up, and keeps what somebody has edited', async () => {
    fs.appendFileSync(at('.claude/agents/delegate-relay.md'), 'mine\n');
    const { code, output } = await uninstall();
    assert.equal(code, 0, output);
    assert.match(output, /registration is removed from Claude Code\./);
    assert.match(output, /relay stays: .* changed since/);
    assert.ok(!fs.existsSync(launcher()) && !fs.existsSync(at('.claude.json')));
    assert.deepEqual(fs.readdirSync(at('.claude')), ['agents']);
  });

  itWithClaude(
    'names the worktrees and refs of jobs that stay, and touches none',
    async function () {
      this.timeout(120_000);
      const job = await world.run({ task: script('write a.txt: x', 'say: done') });
      const root = job.worktree?.root ?? '';
      assert.ok(fs.existsSync(root));
      const refs = world.repo.git('for-each-ref').toString();
      const { output } = await uninstall();
      assert.ok(output.includes(`Worktree that stays: ${root}`), output);
      assert.match(output, new RegExp(`Ref that stays in .*: refs/.*delegate/.*${job.id}`));
      assert.equal(world.repo.git('for-each-ref').toString(), refs);
      assert.ok(fs.existsSync(root));
    },
  );
});
