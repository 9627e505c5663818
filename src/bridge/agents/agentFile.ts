import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { realPathOfDeepest } from '../../config/paths.ts';
import type { AgentPlace, AgentPlaces } from './agentPlaces.ts';

/** A prompt of this size fills the window of most models. */
const MAX_BYTES = 256 * 1024;

/**
 * The text of a definition; null when there is no such file.
 * @throws BridgeError config_invalid when it is there and may not or cannot be read
 */
export function readAgentFile({ source, path }: AgentPlace, places: AgentPlaces): string | null {
  const real = realPath(path);
  if (real === null) return null;
  if (source !== 'global' && !isAllowedTarget(real, places)) {
    // Else a repository could have a private file of its user sent to a model as an agent.
    throw unreadable(path, `is a link to ${real}, outside the folder of the job`, {
      hint: 'Copy the file, or keep it with your own agents.',
    });
  }
  const bytes = readBytes(path, real);
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unreadable(path, 'is not UTF-8 text', { hint: 'Save it as UTF-8.' });
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(path, `cannot be read (${code})`);
  }
}

/** A link may lead elsewhere in the job's folder, or to the user's own definitions. */
function isAllowedTarget(real: string, { folder, agentsDir }: AgentPlaces): boolean {
  return [folder, agentsDir].some((root) => {
    const below = relative(realPathOfDeepest(root), real);
    return below !== '' && !/^\.\.([\\/]|$)/.test(below) && !isAbsolute(below);
  });
}

function readBytes(path: string, real: string): Buffer | null {
  let descriptor: number;
  try {
    // A pipe in the place of the file must not make us wait.
    descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOENT') return null;
    throw unreadable(path, `cannot be read (${code})`);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw unreadable(path, 'is not a file');
    if (stat.size > MAX_BYTES) {
      throw unreadable(path, `has ${stat.size} bytes; the limit is ${MAX_BYTES}`, {
        hint: 'Move what is not needed in every job to files that the agent can read.',
      });
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(path: string, what: string, options: { hint?: string } = {}): BridgeError {
  return new BridgeError('config_invalid', `The agent file ${path} ${what}.`, {
    ...options,
    details: { file: path },
  });
}
