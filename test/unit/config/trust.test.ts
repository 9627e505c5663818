import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { ModelsFile } from '../../../src/config/schema.ts';
import { privilegedHash, privilegedKeys, TrustFile } from '../../../src/config/trust.ts';
import { scratchFolders } from './scratch.ts';

describe('privilegedHash', () => {
  const base: ModelsFile = {
    endpoints: { a: { base_url: 'http://h', notes: 'n' } },
    gates: { t: { run: 'x', protect: ['a', 'b'] } },
    defaults: { max_turns: 3 },
  };
  const hash = privilegedHash(base);

  const changes: [name: string, changed: ModelsFile][] = [
    ['base_url', { ...base, endpoints: { a: { base_url: 'http://i' } } }],
    ['the name of an endpoint', { ...base, endpoints: { b: { base_url: 'http://h' } } }],
    ['api_key', { ...base, endpoints: { a: { base_url: 'http://h', api_key: 'k' } } }],
    ['headers', { ...base, endpoints: { a: { base_url: 'http://h', headers: { a: 'b' } } } }],
    ['proxy', { ...base, endpoints: { a: { base_url: 'http://h', proxy: 'http://p' } } }],
    ['tls', { ...base, endpoints: { a: { base_url: 'http://h', tls: { insecure: true } } } }],
    ['env', { ...base, endpoints: { a: { base_url: 'http://h', env: { A: 'b' } } } }],
    ['locality', { ...base, endpoints: { a: { base_url: 'http://h', locality: 'local' } } }],
    ['a gate', { ...base, gates: { t: { run: 'y', protect: ['a', 'b'] } } }],
    ['what a gate protects', { ...base, gates: { t: { run: 'x', protect: ['a'] } } }],
    ['a further gate', { ...base, gates: { ...base.gates, u: { run: 'x' } } }],
    ['bin', { ...base, runners: { 'claude-code': { bin: './x' } } }],
    ['launcher', { ...base, runners: { dsh: { launcher: './x' } } }],
    ['allow_danger', { ...base, runners: { codex: { allow_danger: true } } }],
    ['worktrees.setup', { ...base, worktrees: { setup: 'npm ci' } }],
    ['permission_mode', { ...base, defaults: { permission_mode: 'bypassPermissions' } }],
    ['allowed_tools', { ...base, defaults: { allowed_tools: ['Bash'] } }],
    ['policy', { ...base, defaults: { policy: 'any' } }],
    ['system_prompt_append', { ...base, defaults: { system_prompt_append: 'x' } }],
    ['pinned', { ...base, failover: { pinned: [] } }],
    ['a chain', { ...base, failover: { chains: { 'glm-5': ['qwen-3-8-max'] } } }],
    [
      'a name that counts as the model’s own',
      { ...base, models: { 'glm-5': { answers_as: ['other'] } } },
    ],
    ['review.required_for', { ...base, review: { required_for: ['x'] } }],
  ];
  for (const [name, changed] of changes)
    it(`changes with ${name}`, () => assert.notEqual(privilegedHash(changed), hash));

  const same: [name: string, changed: ModelsFile][] = [
    [
      'order',
      {
        gates: { t: { protect: ['a', 'b'], run: 'x' } },
        defaults: { max_turns: 3 },
        endpoints: { a: { notes: 'n', base_url: 'http://h' } },
      },
    ],
    [
      'notes and limits',
      {
        ...base,
        defaults: { max_turns: 9, timeout_s: 1 },
        endpoints: { a: { base_url: 'http://h', notes: 'x', host: 'y' } },
      },
    ],
    [
      'pools and facts',
      { ...base, pools: { x: { slots: 2 } }, models: { env: { format: 'openai' } } },
    ],
  ];
  for (const [name, changed] of same)
    it(`does not change with ${name}`, () => assert.equal(privilegedHash(changed), hash));

  it('names the keys it covers', () => {
    assert.deepEqual(privilegedKeys(base), ['endpoints.a.base_url', 'gates']);
  });

  it('is not fooled by keys that look alike when joined', () => {
    assert.notEqual(
      privilegedHash({ endpoints: { 'a.b': { base_url: 'http://h' } } }),
      privilegedHash({ endpoints: { a: { base_url: 'http://h' } } }),
    );
    assert.notEqual(
      privilegedHash({ endpoints: { env: { base_url: 'http://h' } } }),
      privilegedHash({ endpoints: { env: { base_url: 'http://i' } } }),
    );
  });
});

describe('TrustFile', () => {
  const scratch = scratchFolders();
  const setUp = () => {
    const dir = scratch.folder();
    const file = scratch.write(path.join(dir, 'repo/models.yaml'), '');
    return { dir, file, trust: new TrustFile(path.join(dir, 'state'), () => new Date(0)) };
  };

  it('remembers real path and hash, privately, over processes', () => {
    const { dir, file, trust } = setUp();
    assert.equal(trust.isTrusted(file, 'h1'), false);
    symlinkSync(path.join(dir, 'repo'), path.join(dir, 'link'));
    trust.trust(path.join(dir, 'link/models.yaml'), 'h1');
    assert.deepEqual(
      [
        trust.isTrusted(file, 'h1'),
        trust.isTrusted(file, 'h2'),
        new TrustFile(path.join(dir, 'state')).isTrusted(file, 'h1'),
      ],
      [true, false, true],
    );
    assert.deepEqual(trust.list(), [{ file, hash: 'h1', trustedAt: '1970-01-01T00:00:00.000Z' }]);
    assert.equal(lstatSync(trust.file).mode & 0o777, 0o600);
    assert.deepEqual(
      [trust.revoke(file), trust.revoke(file), trust.isTrusted(file, 'h1')],
      [true, false, false],
    );
  });

  it('of a link that was turned to another file trusts nothing', () => {
    const { dir, file, trust } = setUp();
    trust.trust(file, 'h');
    const other = scratch.write(path.join(dir, 'other/models.yaml'), '');
    assert.equal(trust.isTrusted(other, 'h'), false);
  });

  it('trusts nothing when others can write to it, or it cannot be read', () => {
    const { file, trust } = setUp();
    trust.trust(file, 'h');
    chmodSync(trust.file, 0o622);
    assert.equal(trust.isTrusted(file, 'h'), false);
    for (const text of ['', '[]', '{"x":1}', '{']) {
      writeFileSync(trust.file, text, { mode: 0o600 });
      chmodSync(trust.file, 0o600);
      assert.equal(trust.isTrusted(file, 'h'), false, text);
    }
  });

  it('does not follow a link in its place', () => {
    const { dir, file, trust } = setUp();
    mkdirSync(path.join(dir, 'state'));
    symlinkSync(
      scratch.write(
        path.join(dir, 'planted.json'),
        JSON.stringify({ [file]: { hash: 'h', trusted_at: '' } }),
      ),
      trust.file,
    );
    assert.throws(() => trust.isTrusted(file, 'h'), /not a file of yours/);
  });
});
