import { BridgeError } from '../../base/bridgeError.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { GateConfig } from '../../config/schema.ts';

/** @throws BridgeError unknown_gate with the names that there are, and why one of the workspace may not count */
export function gateNamed(loaded: LoadedConfig, name: string): GateConfig {
  const { gates } = loaded.config;
  const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
  if (gate !== undefined) return gate;
  const untrusted = loaded.untrusted[0];
  throw new BridgeError('unknown_gate', `There is no gate ${name}.`, {
    hint: [
      Object.keys(gates).length === 0
        ? 'Define it under gates in models.yaml, and save the file.'
        : `Known gates: ${Object.keys(gates).join(', ')}.`,
      ...(untrusted === undefined
        ? []
        : [`${untrusted} does not count until you trust it: delegate trust.`]),
    ].join(' '),
  });
}
