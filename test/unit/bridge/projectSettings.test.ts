import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { projectSettings, untrustedProjectSettings } from '../../../src/bridge/projectSettings.ts';
import { TrustFile } from '../../../src/config/trust.ts';

describe('settings of Claude Code that a project brings along', () => {
  let scratch: string;
  let trust: TrustFile;
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-test-')));
    trust = new TrustFile(join(scratch, 'state'));
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  function write(file: string, text: string): void {
    const full = join(scratch, file);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }

  /** Trusts what the checkout holds, as `delegate trust` does. */
  function trustCheckout(): void {
    for (const { file, hash } of projectSettings(join(scratch, 'checkout')))
      trust.trust(file, hash);
  }

  function untrusted(runCwd = 'tree', treeRoot: string | null = 'tree'): string[] {
    return untrustedProjectSettings(trust, {
      runCwd: join(scratch, runCwd),
      treeRoot: treeRoot === null ? null : join(scratch, treeRoot),
      repoRoot: treeRoot === null ? null : join(scratch, 'checkout'),
    });
  }

  it('none is nothing to trust', () => {
    mkdirSync(join(scratch, 'tree'));
    assert.deepEqual(untrusted(), []);
  });

  it('a worktree is trusted through its checkout, as long as the content is the same', () => {
    for (const name of ['settings.json', 'settings.local.json']) {
      write(`checkout/.claude/${name}`, '{"a":1}');
      write(`tree/.claude/${name}`, '{"a":1}');
    }
    assert.deepEqual(untrusted(), ['.claude/settings.json', '.claude/settings.local.json']);
    trustCheckout();
    assert.deepEqual(untrusted(), []);
    write('tree/.claude/settings.json', '{"hooks":{}}');
    assert.deepEqual(untrusted(), ['.claude/settings.json'], 'what the job has changed is not');
  });

  it('looks in every folder from where the session runs up to the top of its tree, and not above', () => {
    write('.claude/settings.json', '{}');
    write('tree/.claude/settings.json', '{}');
    write('tree/a/b/.claude/settings.json', '{}');
    assert.deepEqual(untrusted('tree/a/b'), ['a/b/.claude/settings.json', '.claude/settings.json']);
  });

  it('outside git the folder itself is trusted', () => {
    write('checkout/.claude/settings.json', '{}');
    assert.deepEqual(untrusted('checkout', null), ['.claude/settings.json']);
    trustCheckout();
    assert.deepEqual(untrusted('checkout', null), []);
  });
});
