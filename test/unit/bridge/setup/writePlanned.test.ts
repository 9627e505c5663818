import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { withClaudeLock } from '../../../../src/bridge/setup/claudeLock.ts';
import { SetupRecord } from '../../../../src/bridge/setup/setupRecord.ts';
import { writePlanned } from '../../../../src/bridge/setup/writePlanned.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'write-planned-')));
  file = path.join(dir, 'settings.json');
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

describe('writePlanned', () => {
  const write = (before: string | null, after: string | null, mode = 0o664): void =>
    writePlanned(
      { file, before, after, baseline: before, mode, isShared: false },
      new SetupRecord(path.join(dir, 'state')),
    );
  beforeEach(() => fs.mkdirSync(path.join(dir, 'state')));

  it('writes nothing over what has come in between', () => {
    for (const [planned, found] of [
      ['{}', '{"a": 1}'],
      [null, '{}'],
      ['{}', null],
    ] as const) {
      fs.rmSync(file, { force: true });
      if (found !== null) fs.writeFileSync(file, found);
      assert.throws(
        () => write(planned, '{"b": 2}'),
        (error) => BridgeError.is(error, 'setup_failed') && /just been changed/.test(error.message),
      );
      assert.equal(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null, found);
    }
  });

  it('keeps the mode that a file has whatever the umask is', () => {
    fs.writeFileSync(file, '{}');
    fs.chmodSync(file, 0o664);
    const umask = process.umask(0o077);
    try {
      write('{}', '{"a": 1}');
    } finally {
      process.umask(umask);
    }
    assert.equal(fs.statSync(file).mode & 0o777, 0o664);
  });

  it('removes what a killed process has left of the same file, and no other', () => {
    const left = path.join(dir, '.settings.json.delegate-setup-0123456789ab');
    const others = ['.settings.json.tmp', '.other.json.delegate-setup-0123456789ab'];
    for (const name of [left, ...others.map((other) => path.join(dir, other))])
      fs.writeFileSync(name, 'x');
    write(null, '{}');
    assert.deepEqual(fs.readdirSync(dir).sort(), [...others, 'settings.json', 'state'].sort());
  });

  it('says which file cannot be written, and leaves no half of it', () => {
    fs.writeFileSync(path.join(dir, 'no-folder'), '');
    file = path.join(dir, 'no-folder', 'settings.json');
    assert.throws(
      () => write(null, '{}'),
      (error) => BridgeError.is(error, 'setup_failed') && error.message.includes('(ENOTDIR)'),
    );
  });
});

describe('withClaudeLock', () => {
  it('holds the lock while it works, and gives it back when the work fails', async () => {
    const lock = `${file}.lock`;
    assert.equal(await withClaudeLock(file, () => fs.existsSync(lock)), true);
    assert.ok(!fs.existsSync(lock));
    await assert.rejects(
      withClaudeLock(file, () => {
        throw new Error('no');
      }),
      /no/,
    );
    assert.ok(!fs.existsSync(lock));
  });

  it('takes over a lock that is too old for anybody to hold', async () => {
    fs.mkdirSync(`${file}.lock`);
    const old = new Date(Date.now() - 60_000);
    fs.utimesSync(`${file}.lock`, old, old);
    assert.equal(await withClaudeLock(file, () => 'done'), 'done');
  });

  it('says where no lock can be made', async () => {
    await assert.rejects(
      withClaudeLock(path.join(dir, 'nowhere', 'x'), () => 0),
      (error) => BridgeError.is(error, 'setup_failed'),
    );
  });
});
