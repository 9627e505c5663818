import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

describe('the language server process', function () {
  this.timeout(60_000); // a real process

  it('ends with the process that started it', async () => {
    const child = spawn(process.execPath, ['src/languageServer/main.ts', '--stdio'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end('Content-Length: 2\r\n\r\n{}');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.notEqual(code, null);
  });
});
