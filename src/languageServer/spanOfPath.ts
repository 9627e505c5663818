import { type ConfigPath, formatPath } from '../config/configPath.ts';
import type { OutlineEntry, Span, TextOutline } from './text/textOutline.ts';

/** The entry of the nearest key of a path, from the path itself upwards; null when not even its section is there. */
export function entryOfPath({ entries }: TextOutline, path: ConfigPath): OutlineEntry | null {
  const byPath = new Map(entries.map((entry) => [formatPath(entry.path), entry]));
  for (let length = path.length; length > 0; length--) {
    const entry = byPath.get(formatPath(path.slice(0, length)));
    if (entry !== undefined) return entry;
  }
  return null;
}

/** Where the nearest key of a path stands. */
export function spanOfPath(outline: TextOutline, path: ConfigPath): Span | null {
  const entry = entryOfPath(outline, path);
  return entry === null ? null : (entry.key ?? entry.value);
}
