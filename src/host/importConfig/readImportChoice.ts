import type { ImportKind } from '../../protocol/ui/importConfig.ts';
import { type ImportChoice, SOURCE_NAMES } from './importRows.ts';

/** What another extension or a key binding has said to import; undefined: nothing that makes sense, so that the person is asked. */
export function readImportChoice(argument: unknown): ImportChoice | undefined {
  if (argument === null || typeof argument !== 'object' || !('kind' in argument)) return undefined;
  const { kind } = argument;
  if (typeof kind !== 'string' || !Object.hasOwn(SOURCE_NAMES, kind)) return undefined;
  const needsFile = kind === 'litellm' || kind === 'localagents';
  const path = 'path' in argument && typeof argument.path === 'string' ? argument.path : undefined;
  if (needsFile && path === undefined) return undefined;
  const baseUrl =
    'baseUrl' in argument && typeof argument.baseUrl === 'string' ? argument.baseUrl : undefined;
  return {
    kind: kind as ImportKind,
    ...(path === undefined ? {} : { path }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
