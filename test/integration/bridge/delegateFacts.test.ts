import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge } from '../../../src/bridge/bridge.ts';
import { DIST } from '../../support/bridgeWorld.ts';
import { tempRepo, type TempRepo } from '../../support/tempRepo.ts';

describe('facts before delegating', () => {
  let repo: TempRepo;
  let bridge: Bridge;
  const open = (isRestricted = false): Bridge =>
    new Bridge({
      env: {
        ...repo.env,
        XDG_CONFIG_HOME: join(repo.scratch, 'config'),
        DELEGATE_STATE: repo.stateDir,
      },
      homeDir: repo.home,
      configFile: null,
      installation: { execPath: process.execPath, distDir: DIST },
      isRestricted,
    });
  const claude = (): string => join(repo.scratch, 'claude');
  const facts = (paths: string[] = [], cwd = repo.root) => bridge.delegateFacts({ cwd, paths });

  before(() => {
    repo = tempRepo({
      files: {
        'a.txt': 'a\n',
        'sub/b.txt': 'b\n',
        '.gitignore': 'private/\n*.log\n',
        '.claude/agents/coder.md': '---\ndescription: Writes code\n---\nWrite code.\n',
        '.claude/agents/broken.md': '---\ndescription: [\n---\n',
      },
    });
    writeFileSync(claude(), '#!/bin/sh\n', { mode: 0o755 });
    const config = join(repo.scratch, 'config', 'delegation-bridge');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, 'models.yaml'),
      [
        'defaults: { model: qwen, policy: local-only, isolation: none }',
        `runners: { claude-code: { bin: "${claude()}" } }`,
        'endpoints:',
        // Nobody may be asked: this one would be found out.
        '  never: { base_url: http://127.0.0.1:9 }',
        'gates:',
        '  tests: { run: npm test, kind: tests }',
        '  types: { run: tsc, kind: syntax }',
        '',
      ].join('\n'),
    );
    bridge = open();
  });
  after(async () => {
    await bridge.dispose();
    repo.dispose();
  });

  it('tells the gates in their order, the defaults, and that nothing is uncommitted', async () => {
    const { repoRoot, hasCommits, uncommitted, ignored, gates, defaults } = await facts();
    assert.deepEqual(
      { repoRoot, hasCommits, uncommitted, ignored },
      { repoRoot: repo.root, hasCommits: true, uncommitted: 0, ignored: [] },
    );
    assert.deepEqual(gates, [
      { name: 'tests', kind: 'tests', run: 'npm test' },
      { name: 'types', kind: 'syntax', run: 'tsc' },
    ]);
    assert.deepEqual(defaults, {
      runner: 'claude-code',
      model: 'qwen',
      policy: 'local-only',
      isolation: 'none',
    });
  });

  it('names the loop where Claude Code is not installed', async () => {
    rmSync(claude());
    assert.equal((await facts()).defaults.runner, 'loop');
    writeFileSync(claude(), '#!/bin/sh\n', { mode: 0o755 });
    assert.equal((await facts()).defaults.runner, 'claude-code');
  });

  it('tells the agents that a job can be given, and leaves out one that cannot be read', async () => {
    assert.deepEqual((await facts()).agents, [{ name: 'coder', description: 'Writes code' }]);
  });

  it('counts what a worktree would not have, from a folder below too, and writes nothing', async () => {
    writeFileSync(join(repo.root, 'a.txt'), 'changed\n');
    writeFileSync(join(repo.root, 'new\nline.txt'), 'x');
    mkdirSync(join(repo.root, 'folder'));
    writeFileSync(join(repo.root, 'folder', '1'), 'x');
    writeFileSync(join(repo.root, 'folder', '2'), 'x');
    writeFileSync(join(repo.root, 'x.log'), 'ignored');
    rmSync(join(repo.root, 'sub', 'b.txt'));
    const untouched = repo.fingerprint();
    assert.equal((await facts()).uncommitted, 5);
    assert.equal((await facts([], join(repo.root, 'sub'))).uncommitted, 5);
    assert.deepEqual(repo.fingerprint(), untouched);
  });

  it('tells which paths git ignores; those elsewhere and odd ones do not make it fail', async () => {
    const at = (path: string): string => join(repo.root, path);
    const asked = ['a.txt', 'x.log', 'private/key', 'pri"vate\n.log', ':(glob)x.log', 'none'].map(
      at,
    );
    const { ignored } = await facts([...asked, '/etc/hostname', `${repo.root}-other/x.log`]);
    assert.deepEqual(ignored, ['x.log', 'private/key', 'pri"vate\n.log', ':(glob)x.log'].map(at));
    assert.deepEqual((await facts([at('a.txt')])).ignored, []);
    symlinkSync('private', at('link'));
    assert.deepEqual((await facts([at('link/key'), at('x.log')])).ignored, [at('x.log')]);
  });

  it('tells what a folder outside git and a repository without a commit lack', async () => {
    const plain = join(repo.scratch, 'plain');
    mkdirSync(plain);
    const outside = await facts([join(plain, 'x')], plain);
    assert.deepEqual(
      [outside.repoRoot, outside.hasCommits, outside.uncommitted, outside.ignored],
      [null, false, null, []],
    );
    execFileSync('git', ['init', '-q', plain], { env: repo.env });
    writeFileSync(join(plain, 'x'), '');
    const empty = await facts([], plain);
    assert.deepEqual([empty.repoRoot, empty.hasCommits, empty.uncommitted], [plain, false, 1]);
    await assert.rejects(facts([], join(repo.scratch, 'nowhere')), { kind: 'bad_argument' });
  });

  it('runs no git of an untrusted folder', async () => {
    const restricted = open(true);
    await assert.rejects(restricted.delegateFacts({ cwd: repo.root, paths: [] }), {
      kind: 'restricted',
    });
    await restricted.dispose();
  });
});
