import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const CLAIM = resolve(import.meta.dirname, '../../../src/server/claimStdout.ts');
const PROGRAM = `
  import { claimStdout } from ${JSON.stringify(CLAIM)};
  const out = claimStdout(process);
  console.log('a greeting');
  console.info('another');
  process.stdout.write('a third');
  process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
  process.emitWarning('something else', 'DeprecationWarning');
  out.write('protocol\\n');
`;

describe('claimStdout', () => {
  it('leaves stdout to the protocol, and says nothing of the experimental database', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      encoding: 'utf8',
    });
    assert.equal(stdout, 'protocol\n');
    assert.match(stderr, /a greeting\nanother\na third/);
    assert.doesNotMatch(stderr, /SQLite/);
    assert.match(stderr, /something else/);
  });
});
