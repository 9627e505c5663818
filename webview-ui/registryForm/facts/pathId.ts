import { formatPath, parsePath, type ConfigPath } from '../../../src/config/configPath.ts';

const PREFIX = 'key:';

/** The id of the control for a key: without white space, so that lists of ids may name it. */
export function pathId(path: ConfigPath): string {
  return PREFIX + encodeURIComponent(formatPath(path));
}

/** The key that an id stands for; null for any other id. */
export function pathOfId(id: string): ConfigPath | null {
  if (!id.startsWith(PREFIX)) return null;
  try {
    return parsePath(decodeURIComponent(id.slice(PREFIX.length)));
  } catch {
    // A % that is no escape: not made by pathId().
    return null;
  }
}
