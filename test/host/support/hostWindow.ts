import type { BridgeWorld, WorldOptions } from '../../support/bridgeWorld.ts';

/** The window a suite wants. `test/host/NAME.window.ts` exports one as `window`; without that file all is as said here. */
export interface HostWindow {
  /** Default true. False: Restricted Mode, until somebody clicks Trust. */
  readonly isTrusted?: boolean;
  /** User settings, over those that keep VS Code quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The repository in the window, and models.yaml (`URL` is the rehearsal server). Default: `SAMPLE` of hostSample.ts. */
  readonly world?: WorldOptions;
  /** What the window opens: the repository, an empty folder that is no repository, or nothing. Default `repository`. */
  readonly opens?: 'repository' | 'folder' | 'nothing';
  /** Environment of VS Code, over that of the world. */
  readonly env?: Readonly<Record<string, string>>;
  /** The extension is loaded through traced/tracedExtension.ts, whose exports say what it does to its host. Default false. */
  readonly isTraced?: boolean;
  /** CSS pixels. Default 1280 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Runs before the window opens. */
  readonly prepare?: (world: BridgeWorld) => Promise<void> | void;
  /** `npm test` runs the suite in the oldest supported VS Code too. Default false. */
  readonly isForOldest?: boolean;
  /** Default 8 minutes for the whole suite, start and stop of the window included. */
  readonly timeoutMs?: number;
}
