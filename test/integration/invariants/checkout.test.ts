import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import {
  bridgeWorld,
  PERSON,
  script,
  type BridgeWorld,
  type WorldOptions,
} from '../../support/bridgeWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

/** What a job can reach through its linked worktree, as a program: a shell line of that kind would be asked about. */
const HOSTILE = `
const { execSync } = require('node:child_process');
const { appendFileSync, writeFileSync } = require('node:fs');
const scratch = process.argv[2];
const git = (rest) => execSync('git ' + rest, { encoding: 'utf8' }).trim();
const common = git('rev-parse --path-format=absolute --git-common-dir');
git('config core.hooksPath ' + scratch);
git('config core.fsmonitor "touch ' + scratch + '/monitored"');
git('config alias.st "!touch ' + scratch + '/alias"');
writeFileSync(common + '/hooks/pre-commit', '#!/bin/sh\\ntouch ' + scratch + '/hooked\\n', { mode: 0o755 });
appendFileSync(common + '/info/attributes', '*.txt filter=evil\\n');
git('stash drop');
git('branch -D side');
git('branch planted HEAD');
git('tag planted-tag');
git('update-ref refs/heads/main ' + git('commit-tree HEAD^{tree} -m moved'));
`;

describeWithClaude('invariants 2 to 4: the checkout', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  const open = async (options: WorldOptions = {}): Promise<BridgeWorld> =>
    (world = await bridgeWorld(options));
  afterEach(async () => world.dispose());

  it('a hostile job: what it did to config, hooks, info and the branch of the user is put back and reported', async () => {
    await open({ files: { 'a.txt': 'A\n', 'hostile.cjs': HOSTILE } });
    const { repo } = world;
    repo.git('branch', 'side');
    repo.write('a.txt', 'half done by the user\n');
    repo.git('stash', 'push', '-q');
    const stashed = repo.git('rev-parse', 'stash').trim();
    repo.write('b.txt', 'not committed\n');
    repo.git('add', 'b.txt');
    repo.write('c.txt', 'not even added\n');
    const before = repo.fingerprint();
    const job = await world.run({
      task: script(`run: node hostile.cjs ${repo.scratch}`, 'write a.txt: B', 'say: Done.'),
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.commands.failed, 0, world.log(job.id, 'transcript.txt'));
    const { refs, stash, ...after } = repo.fingerprint();
    const { refs: refsBefore, stash: stashBefore, ...rest } = before;
    assert.deepEqual(after, rest, 'HEAD, index, files, config, hooks and info are as they were');
    assert.equal(branchAt(refs, 'main'), branchAt(refsBefore, 'main'));
    const tampered = job.tampered.join('\n');
    for (const part of [
      /hooksPath/i,
      /fsmonitor/i,
      /alias/,
      /pre-commit/,
      /attributes/,
      /refs\/heads\/main/,
    ])
      assert.match(tampered, part);
    // What the user may have done in the same minutes is not undone behind their back: it is said, and every commit is kept.
    const said = job.warnings.join('\n');
    for (const part of [
      /stash entry [0-9a-f]+ is gone/,
      /heads\/side was deleted/,
      /planted is new/,
      /planted-tag is new/,
    ])
      assert.match(said, part);
    const kept = repo.git('for-each-ref', '--format=%(objectname)', `refs/delegate/undo/${job.id}`);
    assert.match(kept, new RegExp(stashed));
    assert.notEqual(stash, stashBefore);
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['a.txt'],
    );
    for (const name of ['monitored', 'hooked', 'alias']) {
      assert.equal(existsSync(join(repo.scratch, name)), false, name);
    }
  });

  it('hooks and monitors of the user do not run in the bridge’s git: not for the worktree, not for accept, reject or restore', async () => {
    await open({ files: { 'a.txt': 'A\n' } });
    const { repo } = world;
    const ran = join(repo.scratch, 'ran');
    const hook = `#!/bin/sh\necho "$0" >> ${ran}\n`;
    for (const name of [
      'post-checkout',
      'pre-commit',
      'post-commit',
      'reference-transaction',
      'post-index-change',
      'post-merge',
      'post-rewrite',
      'pre-auto-gc',
    ]) {
      writeFileSync(join(repo.root, '.git/hooks', name), hook);
      chmodSync(join(repo.root, '.git/hooks', name), 0o755);
    }
    const monitor = join(repo.scratch, 'monitor');
    writeFileSync(monitor, hook);
    chmodSync(monitor, 0o755);
    repo.git('config', 'core.fsmonitor', monitor);
    repo.git('status');
    assert.ok(existsSync(ran), 'the user’s own git runs the monitor');
    writeFileSync(ran, '');
    const first = await world.run({ task: script('write a.txt: B', 'say: Done.') });
    assert.equal(first.status, 'done', JSON.stringify(first.failure));
    await world.bridge.diff(first.id);
    await world.bridge.reviews.reject(first.id, PERSON);
    await world.bridge.reviews.restore(first.id, PERSON);
    const { result } = await world.bridge.reviews.accept(first.id, PERSON);
    assert.equal(result.status, 'applied');
    await world.bridge.reviews.undoAccept(first.id, PERSON);
    await world.bridge.reviews.accept(first.id, PERSON, { how: 'branch' });
    assert.equal(readFileSync(ran, 'utf8'), '');
  });

  const makeAddFail: readonly (readonly [what: string, prepare: () => void])[] = [
    [
      'git worktree add fails',
      () => {
        // A branch of this name is in the way of every branch delegate/<job>.
        world.repo.git('branch', 'delegate');
      },
    ],
    [
      'the folder for worktrees cannot be made',
      () => {
        writeFileSync(join(world.repo.stateDir, 'worktrees'), '');
      },
    ],
  ];
  for (const [what, prepare] of makeAddFail) {
    it(`isolation asked for and not had: ${what}, and no model is asked, no file written`, async () => {
      await open();
      prepare();
      const before = world.repo.fingerprint();
      const job = await world.run({ task: script('write stray.txt: A', 'say: Done.') });
      assert.equal(job.status, 'failed');
      assert.notEqual(job.failure, null);
      assert.equal(world.rehearsal.requests(), 0, 'no model was asked');
      assert.equal(existsSync(world.repo.path('stray.txt')), false);
      assert.equal(job.proof, null);
      assert.equal(job.sessionId, null);
      assert.deepEqual({ ...world.repo.fingerprint() }, before, 'the checkout is as it was');
    });
  }

  const goneWays: readonly (readonly [what: string, program: string])[] = [
    ['emptied', `for (const name of readdirSync('.')) rmSync(name, { recursive: true });`],
    [
      'removed',
      `const root = process.cwd(); process.chdir('/'); rmSync(root, { recursive: true });`,
    ],
    [
      'made into a repository of its own',
      `rmSync('.git'); execSync('git init -q . && git add -A');`,
    ],
    [
      'pointed at the checkout',
      `const dir = execSync('git rev-parse --path-format=absolute --git-common-dir'); writeFileSync('.git', 'gitdir: ' + dir);`,
    ],
  ];
  for (const [what, program] of goneWays) {
    it(`a worktree that is ${what} during the job: worktree_gone, and the checkout is untouched`, async () => {
      const gone = `const { readdirSync, rmSync, writeFileSync } = require('node:fs');
const { execSync } = require('node:child_process');
${program}`;
      await open({ files: { 'a.txt': 'A\n', 'gone.cjs': gone } });
      const before = world.repo.fingerprint();
      const job = await world.run({
        task: script('write a.txt: B', 'run: node gone.cjs', 'say: Done.'),
      });
      assert.equal(job.status, 'failed', JSON.stringify([job.failure, job.warnings]));
      assert.equal(job.failure?.kind, 'worktree_gone', JSON.stringify(job.failure));
      assert.deepEqual(world.repo.fingerprint(), before);
      await assert.rejects(world.bridge.reviews.accept(job.id, PERSON));
      assert.deepEqual(world.repo.fingerprint(), before, 'after the refused accept');
      assert.deepEqual(readdirSync(world.repo.root).sort(), ['.git', 'a.txt', 'gone.cjs']);
    });
  }
});

function branchAt(refs: string, branch: string): string | undefined {
  return refs.split('\n').find((line) => line.startsWith(`refs/heads/${branch} `));
}
