import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

describe('the language server process', function () {
  this.timeout(60_000); // a real process

  it('says nothing and ends with the process that started it', async () => {
    const child = spawn(process.execPath, ['src/languageServer/main.ts']);
    const output = text(child.stdout);
    child.stdin.end('Content-Length: 2\r\n\r\n{}');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.equal(await output, '');
  });
});
