import { it } from 'mocha';
import { itWithClaude, whyNoClaude } from '../../support/withClaude.ts';
import { skipBecause } from '../../support/skipBecause.ts';
import { findLlamaServer } from '../../../tools/llamaServer.mjs';

const found = await findLlamaServer();

/** Registers a test that needs a real llama.cpp server; where there is none it is skipped, with the reason in its name. */
export function itWithLlama(name: string, test: (binary: string) => Promise<void>): void {
  if (found.ok) {
    it(name, () => test(found.path));
    return;
  }
  const { reason } = found;
  it(`${name} (skipped: no llama-server: ${reason})`, function () {
    skipBecause(this, reason);
  });
}

/** The same for a test that also runs the real Claude Code. */
export function itWithLlamaAndClaude(name: string, test: (binary: string) => Promise<void>): void {
  if (whyNoClaude === null) itWithLlama(name, test);
  else itWithClaude(name, () => Promise.resolve());
}
