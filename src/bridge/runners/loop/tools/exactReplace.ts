export type ReplaceResult =
  | {
      readonly outcome: 'replaced';
      readonly text: string;
      readonly count: number;
      /** Line of the first place, in the text as it was. */
      readonly line: number;
    }
  | { readonly outcome: 'too_large' }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'ambiguous'; readonly lines: readonly number[] };

const MAX_PLACES_NAMED = 10;

/**
 * Replaces one text by another where it stands exactly. Models write plain line feeds: where the text has CRLF they are taken
 * for those, in what is searched and in what is put there.
 */
export function exactReplace(
  text: string,
  wanted: { readonly old: string; readonly new: string; readonly isEvery: boolean },
  maxChars: number,
): ReplaceResult {
  const spelling = spellingIn(text, wanted);
  if (spelling === null) return { outcome: 'not_found' };
  const places = placesOf(text, spelling.old, wanted.isEvery);
  const lines = lineNumbers(text, places.slice(0, MAX_PLACES_NAMED));
  if (!wanted.isEvery && places.length > 1) return { outcome: 'ambiguous', lines };
  // Known before it is made: a short text in many places by a long one would fill the memory.
  const chars = text.length + places.length * (spelling.new.length - spelling.old.length);
  if (chars > maxChars) return { outcome: 'too_large' };
  const parts: string[] = [];
  let at = 0;
  for (const place of places) {
    parts.push(text.slice(at, place), spelling.new);
    at = place + spelling.old.length;
  }
  parts.push(text.slice(at));
  return {
    outcome: 'replaced',
    text: parts.join(''),
    count: places.length,
    line: lines[0] ?? 1,
  };
}

function spellingIn(
  text: string,
  wanted: { readonly old: string; readonly new: string },
): { readonly old: string; readonly new: string } | null {
  const asCrlf = { old: toCrlf(wanted.old), new: toCrlf(wanted.new) };
  const isCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  if (isCrlf) return text.includes(asCrlf.old) ? asCrlf : null;
  if (text.includes(wanted.old)) return wanted;
  return text.includes(asCrlf.old) ? asCrlf : null;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** For a single replacement places may overlap: two readings of where it stands are two places. */
function placesOf(text: string, old: string, isEvery: boolean): number[] {
  const places: number[] = [];
  const step = isEvery ? old.length : 1;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + step)) {
    places.push(at);
    if (!isEvery && places.length > MAX_PLACES_NAMED) break;
  }
  return places;
}

function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return places.map((place) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < place;) {
      line += 1;
      at = next + 1;
      next = text.indexOf('\n', at);
    }
    return line;
  });
}
