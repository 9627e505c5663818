import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import { listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import {
  AGENT,
  bridgeWorld,
  PERSON,
  script,
  type BridgeWorld,
  type WorldOptions,
} from '../../support/bridgeWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const GATED = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
gates:
  tests: { run: node test.js, protect: [test.js], baseline: true }
review:
  required_for: ["secret/**"]
`;
const BUG: WorldOptions = {
  files: {
    'sum.js': 'exports.sum = (a, b) => a - b;\n',
    'test.js':
      "const { sum } = require('./sum.js'); if (sum(2, 3) !== 5) { console.error('sum is wrong'); process.exit(1); }\n",
  },
  models: GATED,
};
const FIX = script('edit sum.js: a - b => a + b', 'run: node test.js', 'say: Fixed.');

describeWithClaude('the main job, with the real Claude Code', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  const open = async (options: WorldOptions = {}): Promise<BridgeWorld> =>
    (world = await bridgeWorld(options));
  afterEach(async () => world.dispose());

  it('runs in a worktree, is judged by the gate, and says where it ran', async () => {
    await open(BUG);
    const before = world.repo.fingerprint();
    const job = await world.run({ task: FIX, gate: 'tests' });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.deepEqual(world.repo.fingerprint(), before, 'the checkout is as it was');
    assert.equal(job.gate?.status, 'passed');
    assert.equal(job.gate?.base, 'red');
    assert.equal(job.modelServed, 'rehearsal');
    assert.equal(job.proof?.endpoint, 'rehearsal');
    assert.ok((job.proof?.requests ?? 0) >= 3);
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['sum.js'],
    );
    assert.equal(job.commands.run, 1);
    assert.equal(job.commands.lastExit, 0);
    assert.equal(job.review.status, 'pending');
    assert.equal(job.locality, 'local');
    assert.ok((job.usage.input ?? 0) > 1000);
    assert.equal(job.result, 'Fixed.');
    assert.deepEqual(listJobProcesses(job.id), []);
    const settings = join(world.repo.stateDir, 'jobs', job.id, 'claude-settings.json');
    assert.equal(existsSync(settings), false, 'the settings of the session went with it');

    const { result, job: accepted } = await world.bridge.reviews.accept(job.id, PERSON);
    assert.equal(result.status, 'applied');
    assert.equal(accepted.review.status, 'accepted');
    assert.equal(accepted.review.by, 'person:test');
    assert.match(readFileSync(world.repo.path('sum.js'), 'utf8'), /a \+ b/);
    assert.equal(accepted.worktree?.kept, false);
  });

  it('sends a failed gate back to the same session, and counts the rounds', async () => {
    await open(BUG);
    const task = script(
      'edit sum.js: a - b => a * b',
      'say: First try.',
      '---',
      'edit sum.js: a * b => a + b',
      'say: Second try.',
    );
    const job = await world.run({ task, gate: 'tests', repairRounds: 2 });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.gate?.status, 'passed', job.gate?.tail);
    assert.equal(job.repairRounds, 1);
    assert.equal(job.result, 'Second try.');
  });

  it('done is not verified: a red gate is on the receipt, and nobody takes the result by accident', async () => {
    await open(BUG);
    const job = await world.run({
      task: script('edit sum.js: a - b => a * b', 'say: All tests pass.'),
      gate: 'tests',
    });
    assert.equal(job.status, 'done');
    assert.equal(job.gate?.status, 'failed');
    assert.equal(job.gate?.exit, 1);
    await assert.rejects(world.bridge.reviews.accept(job.id, AGENT), { kind: 'review_required' });
    await assert.rejects(
      world.bridge.reviews.accept(job.id, AGENT, { isGateFailureAccepted: true }),
      {
        kind: 'review_required',
      },
    );
    const { result } = await world.bridge.reviews.accept(job.id, PERSON, {
      isGateFailureAccepted: true,
    });
    assert.equal(result.status, 'applied');
  });

  it('a job that changes what decides the gate is tampered, whatever its exit status would be', async () => {
    await open(BUG);
    const job = await world.run({
      task: script('write test.js: process.exit(0)', 'say: Green.'),
      gate: 'tests',
    });
    assert.equal(job.gate?.status, 'tampered');
    assert.deepEqual(job.gate?.protectedChanged, ['test.js']);
    const allowed = await world.run({
      task: script('write test.js: process.exit(0)', 'say: Green.'),
      gate: 'tests',
      mayChange: ['test.js'],
    });
    assert.equal(allowed.gate?.status, 'passed');
    assert.deepEqual(allowed.gate?.protectedChanged, ['test.js']);
  });

  it('a model may not accept what a person has to look at', async () => {
    await open(BUG);
    const job = await world.run({ task: script('write secret/key.txt: x', 'say: Done.') });
    await assert.rejects(world.bridge.reviews.accept(job.id, AGENT), { kind: 'review_required' });
    const { job: accepted } = await world.bridge.reviews.accept(job.id, PERSON);
    assert.equal(accepted.review.by, 'person:test');
  });

  it('resumes the session in the same worktree, and makes it again when it had been removed', async () => {
    await open();
    const first = await world.run({ task: script('read README.md', 'say: Read it.') });
    assert.equal(first.worktree?.kept, false, 'nothing changed, so the tree is gone');
    const second = await world.run({
      task: script('write a.txt: A', 'say: Wrote it.'),
      resumeJob: first.id,
    });
    assert.equal(second.status, 'done', JSON.stringify(second.failure));
    assert.equal(second.resumedFrom, first.id);
    assert.equal(second.worktree?.root, first.worktree?.root);
    const third = await world.run({
      task: script('write b.txt: B', 'say: Wrote that too.'),
      resumeJob: second.id,
    });
    assert.deepEqual(third.filesChanged.map((file) => file.path).sort(), ['a.txt', 'b.txt']);
    assert.equal(third.worktree?.base, first.worktree?.base);
  });

  it('a read-only job has no tool that writes, and is proven by the hash of the tree', async () => {
    await open();
    const job = await world.run({
      task: script('write a.txt: A', 'read README.md', 'say: Read.'),
      readOnly: true,
    });
    assert.equal(existsSync(world.repo.path('a.txt')), false);
    assert.deepEqual(job.filesChanged, []);
    const [, tools = ''] = /"tools":(\[[^\]]*\])/.exec(world.log(job.id, 'events.jsonl')) ?? [];
    assert.deepEqual((JSON.parse(tools) as string[]).sort(), ['Glob', 'Grep', 'Read']);
  });

  it('works in the checkout itself when asked to, with a change list and a diff of what it did', async () => {
    await open();
    world.repo.write('mine.txt', 'the user was here\n');
    const job = await world.run({
      task: script('write a.txt: A', 'say: Done.'),
      isolation: 'none',
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.ok(existsSync(world.repo.path('a.txt')));
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['a.txt'],
    );
    world.repo.write('a.txt', 'changed by the user since\n');
    const diff = await world.bridge.diff(job.id);
    assert.match(diff.patch, /\+A/);
    assert.doesNotMatch(diff.patch, /since|was here/);
  });

  it('cancel ends everything, and what there was is kept', async () => {
    await open();
    const task = script('write a.txt: A', 'run: tail -f /dev/null & wait', 'say: Never.');
    const { id } = await world.bridge.submit(
      { task, cwd: world.repo.root },
      PERSON,
      world.repo.root,
    );
    await world.until('the command', () => world.bridge.job(id).toolCalls >= 2);
    await world.until('the child', () => listJobProcesses(id).length >= 3);
    const job = await world.bridge.cancel(id, PERSON);
    assert.equal(job.status, 'cancelled');
    assert.deepEqual(listJobProcesses(id), []);
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['a.txt'],
    );
    assert.equal(job.review.status, 'pending');
    assert.ok(world.bridge.job(id).finishedAt);
  });

  it('a silent endpoint fires the idle limit, and the receipt says which limit it was', async () => {
    await open({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\ndefaults: { idle_timeout_s: 8 }\n',
    });
    const job = await world.run({ task: script('write a.txt: A', 'hang 60s', 'say: Late.') });
    assert.equal(job.status, 'timeout');
    assert.equal(job.failure?.kind, 'idle_timeout');
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['a.txt'],
    );
  });

  it('the total limit ends a job that is busy', async () => {
    await open();
    const job = await world.run({
      task: script('run: tail -f /dev/null & wait', 'say: Never.'),
      timeoutS: 5,
    });
    assert.equal(job.status, 'timeout');
    assert.equal(job.failure?.kind, 'timeout');
    assert.deepEqual(listJobProcesses(job.id), []);
  });

  it('a project that points Claude Code elsewhere does not get its way', async () => {
    await open({
      files: {
        '.claude/settings.json': JSON.stringify({
          env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_API_KEY: 'stolen' },
        }),
      },
    });
    const job = await world.run({ task: script('write a.txt: A', 'say: Done.') });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.proof?.endpoint, 'rehearsal');
  });

  it('an endpoint that fails is a failed job with the reason, never an empty success', async () => {
    await open({
      models: 'endpoints:\n  rehearsal: { base_url: URL, env: { CLAUDE_CODE_MAX_RETRIES: "0" } }\n',
    });
    const cases = [
      { lines: ['status 401'], kind: 'auth_failed' },
      { lines: ['status 429 retry-after=1'], kind: 'rate_limited' },
      { lines: ['status 500'], kind: 'backend_error' },
      { lines: ['overflow'], kind: 'context_overflow' },
    ];
    for (const { lines, kind } of cases) {
      const job = await world.run({ task: script(...lines, 'say: Fine.') });
      assert.equal(
        job.failure?.kind,
        kind,
        `${lines[0]}: ${JSON.stringify(job.failure)} ${job.result}`,
      );
      assert.equal(job.status, 'failed');
    }
  });

  it('the same from the command line, on the same store', async () => {
    await open(BUG);
    const run = await world.cli('run', FIX, '--gate', 'tests', '--json');
    assert.equal(run.code, 0, run.stderr);
    const id = world.bridge.list()[0]?.id ?? '';
    assert.match((await world.cli('jobs')).stdout, new RegExp(id));
    assert.match((await world.cli('diff', id)).stdout, /\+exports\.sum = \(a, b\) => a \+ b/);
    assert.equal((await world.cli('wait', id, '--timeout', '30')).code, 0);
    assert.equal((await world.cli('accept', id)).code, 0);
    assert.match(readFileSync(world.repo.path('sum.js'), 'utf8'), /a \+ b/);
    assert.equal((await world.cli('undo', id)).code, 0);
    assert.match(readFileSync(world.repo.path('sum.js'), 'utf8'), /a - b/);
    assert.equal((await world.cli('reject', id)).code, 0);
    assert.equal(world.bridge.job(id).review.status, 'rejected');
    assert.equal((await world.cli('restore', id)).code, 0);
    assert.ok(existsSync(join(world.bridge.job(id).worktree?.root ?? '', 'sum.js')));
  });
});

describeWithClaude('around the main job', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  const open = async (options: WorldOptions = {}): Promise<BridgeWorld> =>
    (world = await bridgeWorld(options));
  afterEach(async () => world.dispose());

  it('sets a new worktree up, and what that makes is no output of the job', async () => {
    await open({
      files: { 'a.txt': 'a\n', '.gitignore': 'node_modules/\n' },
      models:
        'endpoints:\n  rehearsal: { base_url: URL }\nworktrees: { setup: "mkdir node_modules && touch node_modules/x" }\n',
    });
    const job = await world.run({ task: script('run: ls node_modules', 'say: Looked.') });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.worktree?.setup?.exit, 0);
    assert.deepEqual(job.filesChanged, []);
    assert.equal(job.commands.failed, 0);
  });

  it('a worktree that cannot be set up fails before the model is asked', async () => {
    await open({
      models:
        'endpoints:\n  rehearsal: { base_url: URL }\nworktrees: { setup: "echo broken; exit 3" }\n',
    });
    const job = await world.run({ task: script('say: Never.') });
    assert.equal(job.failure?.kind, 'setup_failed');
    assert.match(job.failure?.message ?? '', /exit status 3.*broken/);
    assert.equal(job.proof, null);
  });

  it('says what a fresh tree lacks when its gate is red', async () => {
    await open({
      files: { '.gitignore': 'node_modules/\n' },
      models:
        'endpoints:\n  rehearsal: { base_url: URL }\ngates:\n  tests: { run: test -d node_modules }\n',
    });
    world.repo.write('node_modules/x/index.js', '');
    const job = await world.run({ task: script('write a.txt: A', 'say: Done.'), gate: 'tests' });
    assert.equal(job.gate?.status, 'failed');
    assert.ok(
      job.warnings.some((warning) => /node_modules.*worktrees\.setup/.test(warning)),
      job.warnings.join('\n'),
    );
  });

  it('an edit after the gate ran is on the receipt', async () => {
    await open({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\ngates:\n  tests: { run: "true" }\n',
    });
    const job = await world.run({ task: script('write a.txt: A', 'say: Done.'), gate: 'tests' });
    writeFileSync(join(job.worktree?.root ?? '', 'a.txt'), 'edited in review\n');
    const { job: accepted } = await world.bridge.reviews.accept(job.id, PERSON);
    assert.equal(accepted.gate?.status, 'passed');
    assert.equal(accepted.gate?.covers, 'edited');
  });

  it('a job in the checkout is taken back there, never over what the user wrote since', async () => {
    await open({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
    const task = script('write a.txt: by the job', 'write new.txt: new', 'say: Done.');
    const job = await world.run({ task, isolation: 'none' });
    world.repo.write('a.txt', 'by the user since\n');
    await assert.rejects(world.bridge.reviews.reject(job.id, PERSON), { kind: 'conflict' });
    assert.ok(existsSync(world.repo.path('new.txt')), 'nothing is taken back by halves');
    world.repo.write('a.txt', 'by the job');
    await world.bridge.reviews.reject(job.id, PERSON);
    assert.equal(readFileSync(world.repo.path('a.txt'), 'utf8'), 'one\n');
    assert.equal(existsSync(world.repo.path('new.txt')), false);
  });

  it('a model may not lift a local-only default; a person may', async () => {
    await open({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\ndefaults: { policy: local-only }\n',
    });
    const refused = await world.run({ task: script('say: x'), policy: 'any' }, AGENT);
    assert.equal(refused.status, 'refused');
    assert.equal(refused.failure?.kind, 'policy_refused');
    const allowed = await world.run({ task: script('say: x'), policy: 'any' }, PERSON);
    assert.equal(allowed.status, 'done', JSON.stringify(allowed.failure));
  });

  it('two jobs in one folder at a time are told so', async () => {
    await open();
    const both = await Promise.all(
      ['a', 'b'].map((name) =>
        world.run({ task: script(`write ${name}.txt: x`, 'say: Done.'), isolation: 'none' }),
      ),
    );
    assert.deepEqual(
      both.map((job) => job.status),
      ['done', 'done'],
    );
    assert.ok(both.some((job) => job.warnings.some((warning) => /same time/.test(warning))));
  });

  it('starts from the changes of the checkout when asked to, and takes only what the job did', async () => {
    await open({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
    world.repo.write('a.txt', 'changed by the user\n');
    world.repo.write('untracked.txt', 'mine\n');
    const before = world.repo.fingerprint();
    const task = script('run: cat a.txt untracked.txt', 'write b.txt: by the job', 'say: Done.');
    const job = await world.run({ task, from: 'working-tree' });
    assert.deepEqual(world.repo.fingerprint(), before);
    assert.equal(job.commands.failed, 0, 'both are in the worktree');
    assert.deepEqual(
      job.filesChanged.map((file) => file.path),
      ['b.txt'],
    );
    await world.bridge.reviews.accept(job.id, PERSON);
    assert.equal(readFileSync(world.repo.path('a.txt'), 'utf8'), 'changed by the user\n');
    assert.equal(readFileSync(world.repo.path('b.txt'), 'utf8'), 'by the job');
  });

  it('outside git it works in place only, and says that nothing can be undone', async () => {
    await open();
    const cwd = join(world.repo.scratch, 'plain');
    mkdirSync(cwd);
    const refused = await world.run({ task: script('write a.txt: A', 'say: Done.'), cwd });
    assert.equal(refused.status, 'refused');
    assert.equal(refused.failure?.kind, 'not_a_repository');
    const job = await world.run({
      task: script('write a.txt: A', 'say: Done.'),
      cwd,
      isolation: 'none',
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.worktree, null);
    assert.deepEqual(
      job.filesClaimed.map((path) => path.replace(/^.*\//, '')),
      ['a.txt'],
    );
    assert.ok(job.warnings.some((warning) => /not in a git repository/.test(warning)));
  });

  it('a server that speaks only chat completions is refused for Claude Code, with the reason', async () => {
    await open({ models: 'endpoints:\n  rehearsal: { base_url: URL, format: openai }\n' });
    const job = await world.run({ task: script('say: x') });
    assert.equal(job.status, 'refused');
    assert.equal(job.failure?.kind, 'model_unsuitable');
    assert.match(job.failure?.message ?? '', /chat completions/);
  });

  it('the turn limit is incomplete, never a success, and what there is can be taken', async () => {
    await open();
    const task = script('write a.txt: A', 'write b.txt: B', 'write c.txt: C', 'say: Done.');
    const job = await world.run({ task, maxTurns: 2 });
    assert.equal(job.status, 'failed');
    assert.equal(job.failure?.kind, 'incomplete', JSON.stringify(job.failure));
    assert.ok(job.filesChanged.some((file) => file.path === 'a.txt'));
    assert.equal(job.review.status, 'pending');
    await assert.rejects(world.bridge.reviews.accept(job.id, AGENT), { kind: 'review_required' });
  });

  it('a job and the one that resumed it have one result: what is said of it holds for both', async () => {
    await open();
    const first = await world.run({ task: script('write a.txt: A', 'say: One.') });
    const second = await world.run({
      task: script('write b.txt: B', 'say: Two.'),
      resumeJob: first.id,
    });
    const words = (): string[] =>
      [first, second].map(({ id }) => world.bridge.job(id).review.status);
    assert.deepEqual(words(), ['pending', 'pending']);
    const { result } = await world.bridge.reviews.accept(second.id, PERSON);
    assert.deepEqual(result.applied.map((file) => file.path).sort(), ['a.txt', 'b.txt']);
    assert.deepEqual(words(), ['accepted', 'accepted']);
    await world.bridge.reviews.undoAccept(second.id, PERSON);
    assert.deepEqual(words(), ['pending', 'pending']);
    await world.bridge.reviews.reject(first.id, PERSON);
    assert.deepEqual(words(), ['rejected', 'rejected']);
    await world.bridge.reviews.restore(second.id, PERSON);
    assert.deepEqual(words(), ['pending', 'pending']);
    await world.bridge.reviews.abandon(first.id, PERSON);
    await assert.rejects(world.bridge.reviews.abandon(first.id, PERSON), { kind: 'wrong_state' });
  });

  it('a window into which not even the first request fits is refused before anything starts', async () => {
    await open({ context: 4096 });
    const job = await world.run({ task: script('say: x') });
    assert.equal(job.status, 'refused');
    assert.equal(job.failure?.kind, 'model_unsuitable');
    assert.match(job.failure?.message ?? '', /4096 tokens/);
  });
});
