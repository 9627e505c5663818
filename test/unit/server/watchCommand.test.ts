import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchCommand } from '../../../src/server/watchCommand.ts';

describe('watchCommand', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate watch '));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is the program on the PATH while there is no launcher', () => {
    assert.equal(watchCommand(dir, ['a', 'b'], 'linux'), 'delegate wait a b');
  });

  it('is the launcher at its stable path, quoted where a shell needs it', () => {
    mkdirSync(join(dir, 'bin'));
    writeFileSync(join(dir, 'bin', 'delegate'), '');
    assert.equal(watchCommand(dir, ['a'], 'linux'), `'${join(dir, 'bin', 'delegate')}' wait a`);
  });
});
