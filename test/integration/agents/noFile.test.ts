import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';
import { runCommand } from '../../support/cliRun.ts';
import { textsBelow } from '../../support/textsBelow.ts';

const KEY = 'sk-known-and-hushed';

describe('without any file, as the quick start of delegate-local has it', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({
      files: {
        'README.md': 'A project\n',
        '.claude/agents/reader.md': '---\ndescription: Reads.\ntools: Read\n---\nYou only read.\n',
      },
    });
    rmSync(world.modelsFile);
    Object.assign(world.env, {
      DELEGATE_LOCAL_URL: `${world.rehearsal.url}/v1/messages`,
      DELEGATE_LOCAL_KEY: KEY,
      DELEGATE_LOCAL_MODEL: 'rehearsal',
    });
  });
  after(() => world.dispose());

  it('an agent runs, with the tools of its definition and no others', async () => {
    const job = await world.run({
      runner: 'loop',
      agent: 'reader',
      task: script('read README.md', 'write new.txt: x', 'say: Wrote it.'),
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.deepEqual(job.agent, { name: 'reader', source: 'project-agent' });
    assert.equal(job.endpoint, 'delegate-local');
    assert.equal(job.locality, 'unknown');
    const { agents } = await world.bridge.listAgents({ cwd: world.repo.root });
    const tools = agents.find(({ name }) => name === 'reader')?.tools.join(', ') ?? 'none';
    assert.ok(
      job.result?.includes(`needs a tool that this client does not offer (it offers: ${tools})`),
      `${tools} ${job.result}`,
    );
    assert.equal(job.toolCalls, 1);
    assert.deepEqual(job.filesChanged, []);
  });

  it('an agent that is not there is an error that says where it was looked for', async () => {
    await assert.rejects(world.run({ runner: 'loop', agent: 'raeder', task: 'x' }), {
      kind: 'unknown_agent',
      hint: 'Did you mean reader? There are: reader.',
    });
  });

  it('doctor says which variable set what, and no value of a key', async () => {
    const { code, stdout } = await runCommand(world, ['doctor'], {
      env: { DELEGATE_SLOT_DIR: '/slots', DELEGATE_TURN_TIMEOUT: 'long', DELEGATE_MAX_NUDGES: '3' },
    });
    assert.equal(code, 0, 'a variable that cannot be used breaks nothing');
    for (const line of [
      /^ {2}endpoints\.delegate-local\.api_key +"\$\{env:DELEGATE_LOCAL_KEY\}" +\$DELEGATE_LOCAL_KEY$/m,
      /^ {2}defaults\.model +"rehearsal" +\$DELEGATE_LOCAL_MODEL$/m,
      /^ {2}runners\.loop\.nudges +3 +\$DELEGATE_MAX_NUDGES$/m,
      /^ {2}runners\.loop\.turn_timeout_s +1800 +default$/m,
      /^ {2}DELEGATE_SLOT_DIR +all state is in one folder/m,
      /^ {2}\$DELEGATE_TURN_TIMEOUT: .*must be a number/m,
    ])
      assert.match(stdout, line);
    assert.ok(!stdout.includes(KEY));
  });

  it('the key is nowhere in the state', () => {
    const files = textsBelow(world.repo.stateDir);
    const holding = files.filter(({ text }) => text.includes(KEY)).map(({ file }) => file);
    assert.deepEqual(holding, []);
    assert.ok(files.length > 3);
  });
});
