import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/contributions.ts';
import { eventually } from './eventually.ts';
import { serverProcesses } from './serverProcesses.ts';

const extension = vscode.extensions.getExtension('delegation-bridge.delegation-bridge');

describe('the extension in a trusted window', () => {
  it('activates by itself', async () => {
    assert.ok(extension, 'the extension is installed');
    await eventually(() => extension.isActive, 'the extension is active');
  });

  it('shows the version that its server child reports', async () => {
    const { version } = extension?.packageJSON as { version: string };
    assert.equal(await vscode.commands.executeCommand(COMMANDS.showServerVersion), version);
    const [server, ...others] = serverProcesses();
    assert.deepEqual(others, []);
    assert.deepEqual(server?.args.slice(2), ['--profile', 'ui']);
  });

  it('has registered every declared command', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.values(COMMANDS).filter((command) => !known.has(command)),
      [],
    );
  });

  it('replaces the server on Restart Server', async () => {
    const before = serverProcesses().map(({ pid }) => pid);
    await vscode.commands.executeCommand(COMMANDS.restartServer);
    const after = serverProcesses().map(({ pid }) => pid);
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before);
  });

  it('starts the server again when it is killed', async () => {
    const [killed] = serverProcesses();
    assert.ok(killed);
    process.kill(killed.pid, 'SIGKILL');
    await eventually(async () => {
      const version = await vscode.commands.executeCommand(COMMANDS.showServerVersion);
      const [server] = serverProcesses();
      return version !== undefined && server !== undefined && server.pid !== killed.pid;
    }, 'a new server answers');
  });

  it('has written a launcher that runs the installed command line', () => {
    const launcher = path.join(process.env['DELEGATE_STATE'] ?? '', 'bin/delegate');
    assert.equal(fs.statSync(launcher).mode & 0o777, 0o755);
    const { version } = extension?.packageJSON as { version: string };
    const env = { PATH: '/usr/bin:/bin', HOME: process.env['HOME'] ?? '' };
    assert.ok(execFileSync(launcher, ['--version'], { env, encoding: 'utf8' }).includes(version));
  });

  // Last: nothing works after it.
  it('leaves no server behind when it is deactivated', async () => {
    assert.equal(serverProcesses().length, 1);
    // The same module that VS Code has loaded, by the same path.
    const main = path.join(extension?.extensionPath ?? '', 'dist/extension.cjs');
    const { deactivate } = createRequire(main)(main) as { deactivate: () => Promise<void> };
    await deactivate();
    assert.deepEqual(serverProcesses(), []);
  });
});
