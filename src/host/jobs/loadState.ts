import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';

/** What there is to show: nothing yet, an answer, or why there is none. An answer before an error stays and is old. */
export type LoadState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'error';
      readonly errorKind: ErrorKind;
      readonly message: string;
      readonly hint: string;
    };

export function failedState(error: unknown): LoadState {
  const { kind, message, hint } = BridgeError.from(error);
  return { kind: 'error', errorKind: kind, message, hint };
}
