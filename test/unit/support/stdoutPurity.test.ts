import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { StdoutPurity } from '../../support/stdoutPurity.ts';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{"text":"ä\\n"}}\n';

function purityOf(...chunks: string[]): StdoutPurity {
  const stdout = new PassThrough();
  const purity = new StdoutPurity(stdout);
  for (const chunk of chunks) stdout.emit('data', Buffer.from(chunk));
  return purity;
}

describe('StdoutPurity', () => {
  it('accepts messages, in whatever pieces they come', () => {
    purityOf(MESSAGE.slice(0, 20), MESSAGE.slice(20) + MESSAGE).check();
  });

  for (const [what, chunks] of [
    ['nothing at all', []],
    ['a warning', [MESSAGE, '(node:1) ExperimentalWarning: SQLite\n']],
    ['an empty line', [MESSAGE, '\n']],
    ['JSON that is no message', [MESSAGE, '{"level":"info"}\n']],
    ['null', ['null\n']],
    ['the start of a line', [MESSAGE, 'Debugger']],
    ['two messages on a line', [MESSAGE.trim() + MESSAGE]],
  ] as const) {
    it(`refuses ${what}`, () =>
      assert.throws(() => purityOf(...chunks).check(), assert.AssertionError));
  }
});
