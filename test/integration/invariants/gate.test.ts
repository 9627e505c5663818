import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'mocha';
import { AGENT, bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const EDIT = script('write a.txt: A', 'say: All tests pass.');

describeWithClaude('invariant 8: what a gate says and who accepts', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({ files: { 'README.md': 'x\n', 'a.test.js': '// decides\n' } });
    const ran = join(world.repo.scratch, 'guarded-ran');
    world.writeModels(`endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
gates:
  good-words: { run: "echo 'all 12 tests passed'; exit 1" }
  bad-words: { run: "echo 'FAILED: 3 errors' >&2; exit 0" }
  odd-status: { run: "exit 77" }
  killed: { run: "kill -9 $$" }
  slow: { run: "tail -f /dev/null", timeout_s: 1 }
  missing: { run: no-such-program-anywhere }
  guarded: { run: "touch ${ran}", protect: ["*.test.js"] }
`);
  });
  after(async () => world.dispose());

  const verdicts: readonly (readonly [gate: string, status: string, exit: number | null])[] = [
    ['good-words', 'failed', 1],
    ['bad-words', 'passed', 0],
    ['odd-status', 'failed', 77],
    ['killed', 'failed', null],
    ['slow', 'failed', null],
    ['missing', 'failed', 127],
  ];
  for (const [gate, status, exit] of verdicts) {
    it(`${gate}: ${status} by its exit status, whatever it or the model says`, async () => {
      const job = await world.run({ task: EDIT, gate });
      assert.equal(job.status, 'done', 'done is not verified');
      assert.equal(job.gate?.status, status);
      assert.equal(job.gate?.exit, exit);
      assert.equal(job.review.status, 'pending', 'a verdict accepts nothing');
      assert.equal(job.review.by, null);
    });
  }

  it('a protected file that was changed without leave is tampered, and the gate, which would be green, is not run', async () => {
    const job = await world.run({
      task: script('write a.test.js: // decides nothing any more', 'say: Green.'),
      gate: 'guarded',
    });
    assert.equal(job.gate?.status, 'tampered');
    assert.equal(job.gate?.exit, null);
    assert.equal(existsSync(join(world.repo.scratch, 'guarded-ran')), false);
    await assert.rejects(world.bridge.reviews.accept(job.id, AGENT), { kind: 'review_required' });
  });

  it('accepted says by whom', async () => {
    const ways: readonly (readonly [by: string, accept: (id: string) => Promise<unknown>])[] = [
      ['agent:claude-code', (id) => world.bridge.reviews.accept(id, AGENT)],
      ['person:cli', (id) => world.cli('accept', id)],
      [
        'person:vscode',
        (id) =>
          world.bridge.reviews.accept(id, {
            kind: 'person',
            name: 'vscode',
            session: null,
            pid: null,
          }),
      ],
    ];
    for (const [at, [by, accept]] of ways.entries()) {
      const job = await world.run({ task: script(`write new-${at}.txt: A`, 'say: Done.') });
      await accept(job.id);
      const { review } = world.bridge.job(job.id);
      assert.deepEqual([review.status, review.by], ['accepted', by]);
      assert.notEqual(review.at, null);
    }
  });
});
