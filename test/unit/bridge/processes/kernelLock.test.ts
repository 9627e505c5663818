import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  acquireKernelLock,
  isKernelLockHeld,
  tryKernelLock,
} from '../../../../src/bridge/processes/kernelLock.ts';

const MODULE = resolve(import.meta.dirname, '../../../../src/bridge/processes/kernelLock.ts');

describe('kernelLock', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-lock-'));
    file = join(dir, 'locks', 'a.lock');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** Another process that holds the lock until it is killed. */
  const holder = async () => {
    const code = `import { tryKernelLock } from ${JSON.stringify(MODULE)}; globalThis.lock = tryKernelLock(process.argv[1]); console.log(globalThis.lock !== null); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(said.toString().trim(), 'true');
    return child;
  };

  it('is not held when the file is not there', () => assert.equal(isKernelLockHeld(file), false));

  it('is held by one, seen by all, and free when released', () => {
    const lock = tryKernelLock(file);
    assert.ok(lock);
    assert.equal(isKernelLockHeld(file), true);
    assert.equal(tryKernelLock(file), null);
    lock.release();
    lock.release();
    assert.equal(isKernelLockHeld(file), false);
    tryKernelLock(file)?.release();
  });

  it('is gone at once when its holder is killed with -9, and stays while the holder is stopped', async () => {
    const child = await holder();
    assert.equal(isKernelLockHeld(file), true);
    child.kill('SIGSTOP');
    assert.equal(isKernelLockHeld(file), true, 'a stopped holder is alive');
    assert.equal(tryKernelLock(file), null);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(isKernelLockHeld(file), false);
    const lock = tryKernelLock(file);
    assert.ok(lock);
    lock.release();
  });

  it('probing does not take it: two probers at once see a free lock as free', () => {
    tryKernelLock(file)?.release();
    assert.equal(isKernelLockHeld(file), false);
    assert.equal(isKernelLockHeld(file), false);
  });

  it('waiting ends with a sentence that says for what', async () => {
    const lock = tryKernelLock(file);
    await assert.rejects(acquireKernelLock(file, { timeoutMs: 60, purpose: 'the repository' }), {
      kind: 'store_unavailable',
      message: /the repository/,
    });
    lock?.release();
    (await acquireKernelLock(file, { timeoutMs: 1000, purpose: 'the repository' })).release();
  });
});
