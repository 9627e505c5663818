import { lstatSync, readFileSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';
import { parseModelsText } from './parse.ts';
import { formatProblem } from './problem.ts';
import type { ModelsFile } from './schema.ts';

/** Fields of an endpoint to write; a field that is not named stays as it is. */
export type SidecarEntry = NonNullable<ModelsFile['endpoints']>[string];

/**
 * Text of a sidecar; null when there is none.
 * @throws BridgeError config_invalid when something else than a plain file is in its place
 */
export function readOwnFile(file: string): string | null {
  try {
    if (!lstatSync(file).isFile()) {
      throw new BridgeError(
        'config_invalid',
        `${file} is a link or no file; it is not written through.`,
        {
          hint: 'Put a plain file in its place.',
        },
      );
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * The endpoints that a sidecar names.
 * @throws BridgeError config_invalid when it is broken: what cannot be read cannot be kept
 */
export function readEndpoints(text: string, file: string): Record<string, SidecarEntry> {
  const parsed = parseModelsText(text, file);
  const first = parsed.problems.find((problem) => problem.severity === 'error');
  if (first !== undefined) {
    throw new BridgeError(
      'config_invalid',
      `The sidecar is not written to because it is broken: ${formatProblem(first)}`,
      {
        hint: 'Mend it first, so that nothing in it is lost.',
      },
    );
  }
  return parsed.parts.endpoints ?? {};
}
