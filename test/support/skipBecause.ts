import type { Context } from 'mocha';

/** Skips the running test, and has `npm test` print the reason: `skipBecause(this, 'no llama-server on this machine')`. */
export function skipBecause(context: Context, reason: string): never {
  if (context.test) Object.assign(context.test, { skipReason: reason });
  return context.skip();
}
