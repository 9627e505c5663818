import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { useCompileCache } from '../../../src/server/useCompileCache.ts';

describe('useCompileCache', () => {
  let scratch = '';
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  it('makes no state dir, and leaves it to the tools to say that one cannot be used', () => {
    scratch = mkdtempSync(join(tmpdir(), 'delegate-test-'));
    const before = getCompileCacheDir();
    const missing = join(scratch, 'state');
    useCompileCache({ DELEGATE_STATE: missing });
    assert.equal(existsSync(missing), false);
    useCompileCache({ DELEGATE_STATE: 'not/absolute' });
    useCompileCache({ DELEGATE_STATE: tmpdir(), DELEGATE_TEST_ISOLATION_ROOT: scratch });
    assert.equal(getCompileCacheDir(), before);
  });
});
