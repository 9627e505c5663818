import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { serverCommandLine } from '../../../../src/host/bridge/serverCommandLine.ts';

function commandLine(isRestricted: boolean, env: NodeJS.ProcessEnv = {}) {
  return serverCommandLine({
    execPath: '/editor/node',
    extensionDir: '/extensions/it',
    cwd: '/project',
    env,
    isRestricted,
  });
}

describe('serverCommandLine', () => {
  it("runs the bundled server for the user interface on the editor's Node", () => {
    const { command, args, cwd } = commandLine(false);
    assert.equal(command, '/editor/node');
    assert.deepEqual(args, ['/extensions/it/dist/server.cjs', '--profile', 'ui']);
    assert.equal(cwd, '/project');
  });

  it('is restricted where the workspace is not trusted', () => {
    assert.equal(commandLine(true).args.at(-1), '--restricted');
  });

  it('keeps the environment but for what belongs to the editor', () => {
    const { env } = commandLine(false, {
      PATH: '/bin',
      DELEGATE_STATE: '/state',
      VSCODE_IPC_HOOK_CLI: '/socket',
      ELECTRON_NO_ASAR: '1',
      NODE_OPTIONS: '--require /evil.js',
    });
    assert.deepEqual(env, { PATH: '/bin', DELEGATE_STATE: '/state', ELECTRON_RUN_AS_NODE: '1' });
  });
});
