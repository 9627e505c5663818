import { BridgeError } from '../../base/bridgeError.ts';

/** What the system refused, as a sentence; any other error as it is. */
export function cannotWrite(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || BridgeError.is(error)) return error;
  return new BridgeError('setup_failed', `${file} cannot be written (${code}).`, {
    hint: 'See to whom it and its folder belong, and whether the disk is full or read-only.',
    cause: error,
  });
}
