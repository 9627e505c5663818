import type { Bridge } from '../bridge/bridge.ts';

/** The public surface of the engine: a class with private members could have no double. */
export type BridgeApi = Pick<Bridge, keyof Bridge>;
