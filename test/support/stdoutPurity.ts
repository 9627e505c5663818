import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';

/**
 * Invariant 1: stdout of a server carries the protocol and nothing else. Give it the stdout of every server that a test
 * starts, beside whoever else reads it, and call `check` at the end.
 */
export class StdoutPurity {
  #text = '';

  constructor(stdout: Readable) {
    stdout.on('data', (chunk: Buffer) => (this.#text += chunk.toString('latin1')));
  }

  /** Lines seen so far, the last one without its end included. */
  get lines(): string[] {
    return this.#text
      .split('\n')
      .filter((line, index, all) => line !== '' || index < all.length - 1);
  }

  /** Asserts that every line is one JSON-RPC 2.0 message, and that there was one. */
  check(): void {
    assert.notEqual(this.lines.length, 0, 'the server wrote nothing to stdout');
    const impure = this.lines.filter((line) => !isMessage(line));
    assert.deepEqual(impure, [], 'stdout has lines that are not JSON-RPC');
  }
}

function isMessage(line: string): boolean {
  try {
    const message: unknown = JSON.parse(line);
    return (
      typeof message === 'object' && (message as { jsonrpc?: unknown } | null)?.jsonrpc === '2.0'
    );
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
