import type { Readable, Writable } from 'node:stream';
import type { Caller } from '../bridge/bridgeTypes.ts';
import type { BridgeApi } from '../server/bridgeApi.ts';

/** What a sub-command has at hand. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly version: string;
  /** Folder of the bundles. */
  readonly distDir: string;
  readonly caller: Caller;
  readonly now: () => Date;
  /** The engine, made at the first call; `configFile` is --config. */
  readonly bridge: (configFile?: string) => Promise<BridgeApi>;
}
