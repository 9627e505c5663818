// Stands in for dist/extension.cjs as the extension's main: loads and activates it, and keeps what that took and left.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import type * as vscode from 'vscode';
import { HandleTrace } from './handleTrace.ts';

interface Extension {
  activate(context: vscode.ExtensionContext): void;
  deactivate?(): Promise<void>;
}

/** Milliseconds for require() and for activate() to return. */
interface ActivationTime {
  readonly loadMs: number;
  readonly activateMs: number;
}

/** What `vscode.extensions.getExtension(…).exports` is in such a window. */
export interface TracedExtension {
  readonly ours: ActivationTime;
  readonly empty: ActivationTime;
  /** Bundles of the extension that had been loaded when `activate` returned. */
  readonly loadedByActivation: readonly string[];
  /** The same, now. */
  loaded(): string[];
  /** Living handles that the extension's code has made. */
  handles(): string[];
  /** What VS Code does when it ends the extension. */
  deactivate(): Promise<void>;
}

const load = createRequire(__filename);
const isOurBundle = (file: string): boolean =>
  file.startsWith(__dirname) && !/\/(traced|empty)\.cjs$/.test(file);

export function activate(context: vscode.ExtensionContext): TracedExtension {
  const timesFile = process.env['HOST_ACTIVATION_TIMES'];
  // Stacks cost time: where times are what is wanted, no handle is followed.
  const trace = timesFile === undefined ? new HandleTrace(__dirname) : null;
  const empty = timed('./empty.cjs', context);
  const ours = timed('./extension.cjs', context);
  const loaded = (): string[] =>
    Object.keys(load.cache)
      .filter(isOurBundle)
      .map((file) => basename(file))
      .sort();
  if (timesFile !== undefined)
    appendFileSync(timesFile, `${JSON.stringify({ ours: ours.time, empty: empty.time })}\n`);

  return {
    ours: ours.time,
    empty: empty.time,
    loadedByActivation: loaded(),
    loaded,
    handles: () => trace?.alive() ?? [],
    deactivate: async () => {
      await ours.extension.deactivate?.();
      for (const each of context.subscriptions.splice(0).reverse()) each.dispose();
    },
  };
}

function timed(
  file: string,
  context: vscode.ExtensionContext,
): { extension: Extension; time: ActivationTime } {
  const startedMs = performance.now();
  const extension = load(file) as Extension;
  const loadedMs = performance.now();
  extension.activate(context);
  const activatedMs = performance.now();
  return {
    extension,
    time: { loadMs: loadedMs - startedMs, activateMs: activatedMs - loadedMs },
  };
}
