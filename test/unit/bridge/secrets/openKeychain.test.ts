import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Libsecret } from '../../../../src/bridge/secrets/libsecret.ts';
import { MacKeychain } from '../../../../src/bridge/secrets/macKeychain.ts';
import { openKeychain } from '../../../../src/bridge/secrets/openKeychain.ts';

describe('openKeychain', () => {
  it('is that of the system', () => {
    assert.ok(openKeychain({}, 'linux') instanceof Libsecret);
    assert.ok(openKeychain({}, 'darwin') instanceof MacKeychain);
  });

  it('on Windows says what to do instead of reading another place', async () => {
    const keychain = openKeychain({}, 'win32');
    for (const act of [
      () => keychain.get('x'),
      () => keychain.set('x', 'y'),
      () => keychain.delete('x'),
    ])
      await assert.rejects(act, {
        kind: 'not_supported',
        message: /Windows/,
        hint: /secrets: file/,
      });
  });
});
