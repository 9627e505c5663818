import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { installLauncher } from '../../../../src/host/bridge/installLauncher.ts';

describe('installLauncher', () => {
  let dir: string;
  beforeEach(() => (dir = fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-'))));
  afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

  /** Runs it and returns what it logged. */
  async function install(state: string): Promise<string> {
    const lines: string[] = [];
    const log = {
      info: (line: string) => lines.push(`info ${line}`),
      warn: (line: string) => lines.push(`warn ${line}`),
      error: (line: string) => lines.push(`error ${line}`),
    };
    await installLauncher({
      env: { DELEGATE_STATE: state },
      homeDir: dir,
      platform: 'linux',
      execPath: process.execPath,
      extensionDir: '/extensions/it',
      log,
    });
    return lines.join('\n');
  }

  it('makes a private state dir with the launcher of this version', async () => {
    const state = path.join(dir, 'state');
    assert.equal(await install(state), `info Launcher: ${state}/bin/delegate`);
    assert.equal(fs.statSync(state).mode & 0o777, 0o700);
    const text = fs.readFileSync(path.join(state, 'bin/delegate'), 'utf8');
    assert.ok(text.includes(`'/extensions/it/bin/delegate.cjs'`));
  });

  for (const [what, state] of [
    ['is relative', 'state'],
    ['is a symbolic link', 'link'],
  ] as const) {
    it(`logs the reason and the fix when the state dir ${what}`, async () => {
      const elsewhere = path.join(dir, 'elsewhere');
      fs.mkdirSync(elsewhere);
      fs.symlinkSync(elsewhere, path.join(dir, 'link'));
      const log = await install(state === 'link' ? path.join(dir, 'link') : state);
      assert.match(log, /^error The launcher was not written\. .+/);
      assert.deepEqual(fs.readdirSync(elsewhere), []);
    });
  }
});
