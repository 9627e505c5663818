import type { HostParts } from '../hostParts.ts';
import { showFailure } from './showFailure.ts';

/** A handler of a command whose failures are told to the person; it answers undefined then. */
export function reportFailures<Args extends unknown[], T>(
  { log }: Pick<HostParts, 'log'>,
  handler: (...args: Args) => Promise<T> | T,
): (...args: Args) => Promise<T | undefined> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      // Not awaited: a message may stay for as long as the person lets it.
      void showFailure(error, log);
      return undefined;
    }
  };
}
