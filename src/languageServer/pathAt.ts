import type { ConfigPath } from '../config/configPath.ts';
import type { TextOutline } from './text/textOutline.ts';

/** The innermost key or list item that an offset belongs to; a line belongs to what starts on it. Empty: none. */
export function pathAt({ entries }: TextOutline, offset: number): ConfigPath {
  let best: TextOutline['entries'][number] | null = null;
  for (const entry of entries) {
    const start = entry.key?.start ?? entry.value.start;
    if (start > offset || offset > entry.end) continue;
    if (best === null || entry.path.length >= best.path.length) best = entry;
  }
  return best?.path ?? [];
}
