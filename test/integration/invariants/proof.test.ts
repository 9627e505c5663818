import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import { startRehearsal, type Rehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { bridgeWorld, ROOT, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const TASK = script('write a.txt: A', 'say: Done.');

describeWithClaude('invariant 7: done needs proof', function () {
  this.timeout(120_000);
  let elsewhere: Rehearsal;
  let world: BridgeWorld;
  beforeEach(async () => {
    elsewhere = await startRehearsal({ model: 'elsewhere' });
    const env = { ANTHROPIC_BASE_URL: elsewhere.url, ANTHROPIC_API_KEY: 'of-elsewhere' };
    world = await bridgeWorld({ files: { '.claude/settings.json': JSON.stringify({ env }) } });
    // Untrusted it would not even be read.
    await world.bridge.trusted.add(world.repo.root);
  });
  afterEach(async () => {
    await world.dispose();
    await elsewhere.close();
  });

  /** A `claude` that runs the real one with its arguments changed. */
  function useWrapper(changeArgs: string): void {
    const file = join(world.repo.scratch, 'claude-wrapper');
    writeFileSync(
      file,
      `#!${process.execPath}
const { spawn } = require('node:child_process');
let args = process.argv.slice(2);
${changeArgs}
const child = spawn(${JSON.stringify(join(ROOT, 'node_modules/.bin/claude'))}, args, { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
`,
    );
    chmodSync(file, 0o755);
    world.writeModels(
      `endpoints:\n  rehearsal: { base_url: URL }\nrunners:\n  claude-code: { bin: ${file} }\ndefaults: { setting_sources: [project] }\n`,
    );
  }

  it('with the flag, a project that points the session elsewhere is not heard', async () => {
    useWrapper('');
    const job = await world.run({ task: TASK });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.proof?.endpoint, 'rehearsal');
    assert.ok((job.proof?.requests ?? 0) >= 2);
    assert.equal(job.modelServed, 'rehearsal');
    assert.equal(elsewhere.requests(), 0);
  });

  it('without the flag the session goes elsewhere, says that it is done, and is not_local', async () => {
    useWrapper(`const at = args.indexOf('--settings'); args.splice(at, 2);`);
    const job = await world.run({ task: TASK });
    assert.ok(elsewhere.requests() >= 2, 'the wrapper has done its part');
    assert.equal(job.status, 'failed');
    assert.equal(job.failure?.kind, 'not_local', JSON.stringify(job.failure));
    assert.equal(job.proof, null);
    assert.equal(job.modelServed, null, 'no model of the endpoint answered');
  });

  it('a program that only says that it is done has proven nothing', async () => {
    const file = join(world.repo.scratch, 'liar');
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'All done, all tests pass.',
      num_turns: 3,
      stop_reason: 'end_turn',
      session_id: 's',
    };
    writeFileSync(file, `#!/bin/sh\necho '${JSON.stringify(result)}'\n`);
    chmodSync(file, 0o755);
    world.writeModels(
      `endpoints:\n  rehearsal: { base_url: URL }\nrunners:\n  claude-code: { bin: ${file} }\n`,
    );
    const job = await world.run({ task: TASK });
    assert.equal(job.status, 'failed');
    assert.equal(job.failure?.kind, 'not_local', JSON.stringify(job.failure));
    assert.equal(job.proof, null);
  });
});
