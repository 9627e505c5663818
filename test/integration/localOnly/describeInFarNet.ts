import { networkInterfaces } from 'node:os';
import { describe, type Suite } from 'mocha';
import { FAR_ADDRESS } from './farServer.ts';

/** Registers a suite where the public address exists; elsewhere there is nothing: `localOnly.test.ts` runs it in a network of its own. */
export function describeInFarNet(title: string, suite: (this: Suite) => void): void {
  const isInside = Object.values(networkInterfaces())
    .flat()
    .some((network) => network?.address === FAR_ADDRESS);
  if (isInside) describe(title, suite);
}
