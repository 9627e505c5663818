import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { runCommand } from '../../support/cliRun.ts';

const MODELS = `defaults: { model: rehearsal }
endpoints:
  rehearsal: { base_url: URL }
`;

describe('delegate agents', () => {
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({
      models: MODELS,
      files: {
        '.claude/agents/coder.md':
          '---\ndescription: "Codes \\e[31mwell"\nmodel: haiku\ntools: Raed, Write\n---\nCode.\n',
        '.claude/agents/two words.md': 'x\n',
        '.claude/skills/coder/SKILL.md': '---\ndescription: D\n---\nB\n',
      },
    });
  });
  after(() => world.dispose());

  it('shows tiers, what each would get, and findings with their lines', async () => {
    const { code, stdout, stderr } = await runCommand(world, ['agents']);
    assert.equal(code, 0, stderr);
    for (const line of [
      /^Project agents: .*\.claude\/agents$/m,
      /^ {2}coder {2}Codes well$/m,
      /^ {4}Model +rehearsal \(defaults\.model\), now rehearsal on rehearsal$/m,
      /^ {4}Tools +list_dir, glob, grep, read_file, write_file, finish$/m,
      /^ {4}warning: line 3: "model: haiku" has no effect here/m,
      /^ {4}warning: line 4: there is no tool "Raed".*Did you mean Read\?$/m,
      /^ {4}info: .*\.claude\/agents\/coder\.md has the same name and wins/m,
      /^ {2}Not an agent: .*two words\.md: /m,
      /^Your own agents: .*\.claude\/agents \(not there\)$/m,
    ])
      assert.match(stdout, line);
    // eslint-disable-next-line no-control-regex -- what a file says cannot control a terminal
    assert.doesNotMatch(stdout, /\u001b/);
  });

  it('gives scripts the same as JSON', async () => {
    const { stdout } = await runCommand(world, ['agents', '--json']);
    const view = JSON.parse(stdout) as {
      v: number;
      agents: { name: string; is_usable: boolean }[];
    };
    assert.equal(view.v, 1);
    assert.deepEqual(
      view.agents.map(({ name, is_usable }) => [name, is_usable]),
      [
        ['coder', true],
        ['coder', true],
      ],
    );
  });

  it('fails when a definition cannot be used, and doctor says so, too', async () => {
    world.repo.write('.claude/agents/broken.md', '---\ntools: {}\n---\nB');
    try {
      const { code, stdout } = await runCommand(world, ['agents']);
      assert.equal(code, 1);
      assert.match(stdout, /^ {2}broken \(cannot be used\)$/m);
      const doctor = await runCommand(world, ['doctor'], { env: { DELEGATE_LOCAL_KEY: 'hushed' } });
      assert.match(doctor.stdout, /^ {2}DELEGATE_LOCAL_KEY +no endpoint uses it/m);
      assert.ok(!doctor.stdout.includes('hushed'));
      assert.match(doctor.stdout, /^ {2}error +\S+broken\.md:2: "tools" must be a list/m);
      assert.match(doctor.stdout, /^ {2}warning +\S+coder\.md:3: "model: haiku" has no effect/m);
    } finally {
      rmSync(world.repo.path('.claude/agents/broken.md'));
    }
  });
});
