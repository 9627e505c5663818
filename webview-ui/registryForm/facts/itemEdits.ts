import type { ConfigPath } from '../../../src/config/configPath.ts';
import type { ConfigEdit } from '../../../src/protocol/modelsLanguage/configEdit.ts';
import { placeNow } from './listKeys.ts';
import { movedItem } from './reorder.ts';

/** A list of the file, as it is when the edit is made. `own`: what the file says; null: nothing, and `shown` counts from elsewhere. */
interface ListNow {
  readonly path: ConfigPath;
  readonly own: readonly unknown[] | null;
  readonly shown: readonly unknown[];
}

/** Puts an item at the end. A list that counts from elsewhere is written out first: one item alone would mean another thing. */
export function addItem({ path, own, shown }: ListNow, item: string): ConfigEdit[] {
  if (own === null || own.length === 0) return [whole(path, [...shown, item])];
  return [{ kind: 'set', path: [...path, own.length], value: item }];
}

/** Takes an item away; null: it is gone already. The last one leaves an empty list behind, which is not the same as none. */
export function removeItem(
  { path, own, shown }: ListNow,
  item: unknown,
  place: number,
): ConfigEdit[] | null {
  const items = own ?? shown;
  const now = placeNow(items, item, place);
  if (now === null) return null;
  if (own === null || own.length === 1)
    return [
      whole(
        path,
        items.filter((_, n) => n !== now),
      ),
    ];
  return [{ kind: 'remove', path: [...path, now] }];
}

/** Moves an item by some places, as far as there are any. */
export function moveItem(
  { path, own, shown }: ListNow,
  item: unknown,
  place: number,
  by: number,
): ConfigEdit[] | null {
  const items = own ?? shown;
  const from = placeNow(items, item, place);
  if (from === null) return null;
  const to = Math.max(0, Math.min(items.length - 1, from + by));
  if (to === from) return [];
  return own === null
    ? [whole(path, movedItem(items, from, to))]
    : [{ kind: 'move', path: [...path, from], to }];
}

function whole(path: ConfigPath, value: readonly unknown[]): ConfigEdit {
  return { kind: 'set', path: [...path], value: value as string[] };
}
