import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { writeLauncher } from '../../../src/config/launcher.ts';

describe('writeLauncher', function () {
  this.timeout(60_000); // runs what it has written

  let dir: string;
  let stateDir: string;

  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-'));
    stateDir = path.join(dir, 'state');
  });
  afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

  /** A program that prints its arguments and the variable that makes an editor run as Node. */
  function programAt(folder: string): string {
    fs.mkdirSync(folder, { recursive: true });
    const script = path.join(folder, 'delegate.cjs');
    fs.writeFileSync(
      script,
      'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]))',
    );
    return script;
  }

  const write = (script: string, platform: NodeJS.Platform = 'linux'): Promise<string> =>
    writeLauncher(stateDir, { execPath: process.execPath, script }, platform);

  it('runs the program with the arguments as they are', async () => {
    const launcher = await write(programAt(path.join(dir, 'v1')));
    assert.equal(launcher, path.join(stateDir, 'bin', 'delegate'));
    assert.equal(fs.statSync(launcher).mode & 0o777, 0o755);
    const args = ['run', 'a b', "it's", '$HOME', '', '*', '"q"', 'new\nline'];
    assert.deepEqual(JSON.parse(execFileSync(launcher, args, { encoding: 'utf8' })), [
      '1',
      ...args,
    ]);
  });

  it('can be run by its owner whatever the umask is', async () => {
    const before = process.umask(0o777);
    try {
      const launcher = await write(path.join(dir, 'v1', 'delegate.cjs'));
      assert.equal(fs.statSync(launcher).mode & 0o777, 0o755);
    } finally {
      process.umask(before);
    }
  });

  it('runs a program in any folder', async () => {
    const name = fc.string({
      unit: fc.constantFrom(...'aZ\' "$`\\*;&|(){}<>~!#\nä'),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(name, async (folder) => {
        const launcher = await write(programAt(path.join(dir, folder)));
        assert.equal(execFileSync(launcher, ['x'], { encoding: 'utf8' }), '["1","x"]\n');
      }),
      { numRuns: 15 },
    );
  });

  it('follows an update', async () => {
    const old = programAt(path.join(dir, 'v1'));
    await write(old);
    fs.rmSync(old);
    const launcher = await write(programAt(path.join(dir, 'v2')));
    assert.equal(execFileSync(launcher, ['y'], { encoding: 'utf8' }), '["1","y"]\n');
    assert.deepEqual(fs.readdirSync(path.dirname(launcher)), ['delegate']);
  });

  it('says what to do when the program is gone', async () => {
    const launcher = await write(path.join(dir, 'gone', 'delegate.cjs'));
    const { status, stderr } = spawnSync(launcher, { encoding: 'utf8' });
    assert.equal(status, 127);
    assert.match(stderr, /gone\/delegate\.cjs is gone\. Start the editor once/);
  });

  it('replaces a symbolic link, and leaves alone what it points at', async () => {
    const precious = path.join(dir, 'precious');
    fs.writeFileSync(precious, 'mine');
    fs.mkdirSync(path.join(stateDir, 'bin'), { recursive: true });
    fs.symlinkSync(precious, path.join(stateDir, 'bin', 'delegate'));
    const launcher = await write(programAt(path.join(dir, 'v1')));
    assert.equal(fs.readFileSync(precious, 'utf8'), 'mine');
    assert.equal(fs.lstatSync(launcher).isSymbolicLink(), false);
  });

  it('writes nothing through a bin folder that is a link', async () => {
    const elsewhere = path.join(dir, 'elsewhere');
    fs.mkdirSync(elsewhere);
    fs.mkdirSync(stateDir);
    fs.symlinkSync(elsewhere, path.join(stateDir, 'bin'));
    await assert.rejects(write(programAt(path.join(dir, 'v1'))), (error) =>
      BridgeError.is(error, 'state_dir_invalid'),
    );
    assert.deepEqual(fs.readdirSync(elsewhere), []);
  });

  it('leaves no unfinished file when it fails', async () => {
    fs.mkdirSync(path.join(stateDir, 'bin', 'delegate', 'in-the-way'), { recursive: true });
    await assert.rejects(write(programAt(path.join(dir, 'v1'))));
    assert.deepEqual(fs.readdirSync(path.join(stateDir, 'bin')), ['delegate']);
  });

  it('writes a batch file on Windows', async () => {
    const launcher = await write('C:\\100%\\delegate.cjs', 'win32');
    assert.match(launcher, /delegate\.cmd$/);
    const text = fs.readFileSync(launcher, 'utf8');
    assert.ok(text.includes('"C:\\100%%\\delegate.cjs" %*\r\n'), text);
  });
});
