import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import {
  configDir,
  expandHome,
  prepareStateDir,
  stateDir,
  type StateDirSystem,
} from '../../../src/config/paths.ts';
import { scratchFolders } from './scratch.ts';

const invalid = (words: RegExp) => (error: unknown) =>
  BridgeError.is(error, 'state_dir_invalid') && words.test(error.message) && error.hint !== '';

describe('stateDir and configDir', () => {
  const table: [
    env: Record<string, string>,
    platform: NodeJS.Platform,
    state: string,
    config: string,
  ][] = [
    [{}, 'linux', '/h/.local/state/delegation-bridge', '/h/.config/delegation-bridge'],
    [{}, 'darwin', '/h/.local/state/delegation-bridge', '/h/.config/delegation-bridge'],
    [
      { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' },
      'linux',
      '/s/delegation-bridge',
      '/c/delegation-bridge',
    ],
    [
      { XDG_STATE_HOME: 's', XDG_CONFIG_HOME: '' },
      'linux',
      '/h/.local/state/delegation-bridge',
      '/h/.config/delegation-bridge',
    ],
    [
      { DELEGATE_STATE: '/d/../e', XDG_STATE_HOME: '/s' },
      'linux',
      '/e',
      '/h/.config/delegation-bridge',
    ],
    [{ DELEGATE_STATE: '~/x' }, 'linux', '/h/x', '/h/.config/delegation-bridge'],
    [
      { LOCALAPPDATA: '/l', APPDATA: '/r' },
      'win32',
      '/l/delegation-bridge',
      '/r/delegation-bridge',
    ],
  ];
  for (const [env, platform, state, config] of table) {
    it(`${platform} ${JSON.stringify(env)}`, () => {
      assert.equal(stateDir(env, '/h', platform), state);
      assert.equal(configDir(env, '/h', platform), config);
    });
  }
  it('refuses a relative folder', () => {
    assert.throws(() => stateDir({ DELEGATE_STATE: 'x' }, '/h', 'linux'), invalid(/absolute/));
  });
  it('expands the home folder and nothing else', () => {
    assert.deepEqual(
      ['~', '~/a', '~b/a', 'a/~'].map((file) => expandHome(file, '/h')),
      ['/h', '/h/a', '~b/a', 'a/~'],
    );
  });

  describe('with DELEGATE_TEST_ISOLATION_ROOT', () => {
    const scratch = scratchFolders();
    it('takes what lies below, and nothing else, links followed', () => {
      const root = scratch.folder();
      const outside = scratch.folder();
      symlinkSync(outside, path.join(root, 'link'));
      const env = { DELEGATE_TEST_ISOLATION_ROOT: root };
      assert.equal(
        stateDir({ ...env, DELEGATE_STATE: path.join(root, 'a/b') }, root, 'linux'),
        path.join(root, 'a/b'),
      );
      assert.equal(configDir(env, root, 'linux'), path.join(root, '.config/delegation-bridge'));
      for (const dir of [
        outside,
        root,
        `${root}-beside`,
        path.join(root, '..'),
        path.join(root, 'link/deep'),
      ]) {
        assert.throws(
          () => stateDir({ ...env, DELEGATE_STATE: dir }, root, 'linux'),
          invalid(/not below/),
          dir,
        );
      }
      assert.throws(() => configDir(env, outside, 'linux'), invalid(/not below/));
      assert.throws(
        () => configDir({ ...env, APPDATA: outside }, root, 'win32'),
        invalid(/not below/),
      );
      assert.throws(
        () => stateDir({ DELEGATE_TEST_ISOLATION_ROOT: 'relative' }, root, 'linux'),
        invalid(/absolute/),
      );
    });
  });
});

describe('prepareStateDir', () => {
  const scratch = scratchFolders();
  const modeOf = (dir: string) => lstatSync(dir).mode & 0o777;
  const system = (change: Partial<StateDirSystem> = {}): StateDirSystem => ({
    uid: process.getuid?.() ?? null,
    platform: 'linux',
    fileSystemType: () => 0xef53,
    mounts: () => null,
    ...change,
  });

  it('makes a private folder, twice without harm', () => {
    const dir = path.join(scratch.folder(), 'a/b');
    prepareStateDir(dir, system());
    prepareStateDir(dir, system());
    assert.equal(modeOf(dir), 0o700);
  });
  it('works with the real system', () => prepareStateDir(path.join(scratch.folder(), 'real')));
  it('repairs the mode', () => {
    const dir = path.join(scratch.folder(), 'a');
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    prepareStateDir(dir, system());
    assert.equal(modeOf(dir), 0o700);
  });
  it('refuses a link, a file, somebody else’s folder and what cannot be made', () => {
    const root = scratch.folder();
    mkdirSync(path.join(root, 'real'), { mode: 0o755 });
    symlinkSync(path.join(root, 'real'), path.join(root, 'link'));
    symlinkSync(path.join(root, 'nowhere'), path.join(root, 'dangling'));
    const file = scratch.write(path.join(root, 'file'), '');
    assert.throws(
      () => prepareStateDir(path.join(root, 'link'), system()),
      invalid(/symbolic link/),
    );
    assert.equal(modeOf(path.join(root, 'real')), 0o755, 'the target of a link is not touched');
    assert.throws(() => prepareStateDir(path.join(root, 'dangling'), system()), invalid(/./));
    assert.throws(() => prepareStateDir(file, system()), invalid(/not a folder/));
    assert.throws(() => prepareStateDir(path.join(file, 'x'), system()), invalid(/not a folder/));
    assert.throws(
      () => prepareStateDir(path.join(root, 'real'), system({ uid: 4_000_000 })),
      invalid(/another user/),
    );
  });

  const mountInfo =
    '1 0 0:1 / / rw - overlay overlay rw\n2 1 0:2 / /net\\040drive rw shared:1 - fuse.sshfs host:/ rw\n3 1 0:3 / /crypt rw - fuse.gocryptfs x rw\n';
  const fileSystems: [
    name: string,
    type: number,
    mounts: (dir: string) => string | null,
    network: boolean,
  ][] = [
    ['ext4', 0xef53, () => null, false],
    ['NFS', 0x6969, () => null, true],
    ['SMB2', 0xfe534d42, () => null, true],
    ['SMB2, sign-extended', 0xfe534d42 | 0, () => null, true],
    ['CIFS', 0xff534d42, () => null, true],
    ['FUSE of unknown kind', 0x65735546, () => null, false],
    ['sshfs', 0x65735546, (dir) => mountInfo.replace('/net\\040drive', dir), true],
    ['sshfs elsewhere', 0x65735546, () => mountInfo, false],
    ['an encrypted folder', 0x65735546, (dir) => mountInfo.replace('/crypt', dir), false],
  ];
  for (const [name, type, mounts, network] of fileSystems) {
    it(`${network ? 'refuses' : 'takes'} ${name}`, () => {
      const dir = scratch.folder();
      const prepare = () =>
        prepareStateDir(dir, system({ fileSystemType: () => type, mounts: () => mounts(dir) }));
      if (network) assert.throws(prepare, invalid(/network file system/));
      else prepare();
    });
  }
});
