import { BridgeError } from '../base/bridgeError.ts';

const SECRET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** @throws BridgeError bad_argument for a name that a reference could not hold, or an empty value */
export function checkSecret(name: string, value: string): void {
  if (!SECRET_NAME.test(name)) {
    throw new BridgeError(
      'bad_argument',
      'The name of a secret may hold letters, digits, ".", "_" and "-".',
    );
  }
  if (value === '') throw new BridgeError('bad_argument', `The secret "${name}" has no value.`);
}
