import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cleanEnv } from '../../../../src/bridge/processes/cleanEnv.ts';

describe('cleanEnv', () => {
  it('passes what builds need and nothing that is a key, a session or a way into another program', () => {
    const clean = cleanEnv({
      PATH: '/bin',
      HOME: '/home/x',
      LC_ALL: 'C',
      HTTPS_PROXY: 'http://proxy',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      ANTHROPIC_API_KEY: 'secret',
      ANTHROPIC_BASE_URL: 'https://elsewhere',
      CLAUDECODE: '1',
      CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
      OPENAI_API_KEY: 'secret',
      LLAMA_KEY: 'secret',
      GITHUB_TOKEN: 'secret',
      NODE_OPTIONS: '--require=/evil.js',
      ELECTRON_RUN_AS_NODE: '1',
      LD_PRELOAD: '/evil.so',
      DELEGATE_STATE: '/state',
      GIT_DIR: '/repo/.git',
    });
    assert.deepEqual(Object.keys(clean).sort(), [
      'HOME',
      'HTTPS_PROXY',
      'LC_ALL',
      'NODE_EXTRA_CA_CERTS',
      'PATH',
    ]);
  });
});
