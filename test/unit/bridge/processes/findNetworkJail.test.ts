import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findNetworkJail } from '../../../../src/bridge/processes/findNetworkJail.ts';
import { secretPlaces } from '../../../../src/bridge/processes/secretPlaces.ts';
import { skipBecause } from '../../../support/skipBecause.ts';

describe('findNetworkJail', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'delegate-jail-'));
    env = { PATH: folder, HOME: folder };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const program = (script: string): void =>
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  it('says what to install where there is none', async () => {
    assert.deepEqual(await findNetworkJail(env, 'linux'), {
      reason:
        'bubblewrap (bwrap) is not installed; most distributions have it as the package "bubblewrap".',
    });
  });

  it('says why one that is there may not work, in its own words', async () => {
    program('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    assert.deepEqual(await findNetworkJail(env, 'linux'), {
      reason: `${folder}/bwrap cannot make a jail on this machine: bwrap: setting up uid map: Permission denied.`,
    });
  });

  it('does not believe one that starts the program with the network of everybody', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'networks have names on Linux only');
    program('while [ "$1" != -- ]; do shift; done; shift; PATH=/usr/bin:/bin exec "$@"');
    assert.deepEqual(await findNetworkJail(env, 'linux'), {
      reason: `${folder}/bwrap cannot make a jail on this machine: it started, but with the network of everybody.`,
    });
  });

  it('knows no jail for other platforms', async () => {
    for (const platform of ['win32', 'freebsd'] as const) {
      assert.ok('reason' in (await findNetworkJail(env, platform)));
    }
  });

  it('hides the secrets that there are, by their real paths, and the folders of the bridge', () => {
    for (const name of ['.aws', 'keys', 'config/delegation-bridge', 'state']) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    symlinkSync('keys', join(folder, '.ssh'));
    writeFileSync(join(folder, '.netrc'), 'x');
    const places = secretPlaces(
      {
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, 'config'),
        DELEGATE_STATE: join(folder, 'state'),
      },
      'linux',
    );
    assert.deepEqual(places.map((place) => place.slice(folder.length + 1)).sort(), [
      '.aws',
      '.netrc',
      'config/delegation-bridge',
      'keys',
      'state',
    ]);
  });
});
