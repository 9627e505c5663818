import { isPrintable } from './scalarText.ts';
import type { ValueText } from './valueText.ts';

/** A text over several lines as `|` or `>`; null when these cannot hold it. */
export function blockScalarText(
  value: string,
  place: { readonly isFolded: boolean; readonly indent: number; readonly step: number },
): ValueText | null {
  const lines = value.split('\n');
  const content = value.replace(/\n+$/, '');
  if (content === '' || !lines.every(isPrintable)) return null;
  if (/(^|\n)[ \t]+$/.test(content)) return null;
  const trailing = value.length - content.length;
  const isIndented = /^\n*[ \t]/.test(content);
  if (isIndented && place.step > 9) return null;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const own = content.split('\n');
  const shown = place.isFolded ? unfolded(own) : own;
  const pad = ' '.repeat(place.indent);
  return {
    inline: `${place.isFolded ? '>' : '|'}${isIndented ? place.step : ''}${chomp}`,
    below: [
      ...shown.map((line) => (line === '' ? '' : pad + line)),
      ...Array<string>(Math.max(trailing - 1, 0)).fill(''),
    ],
  };
}

/** A line break between two lines of text is read as a space in `>`, so one more is needed; beside indented lines it is not. */
function unfolded(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let last: string | null = null;
  let blanks = 0;
  for (const line of lines) {
    if (line === '') {
      blanks++;
      continue;
    }
    const isExtra = last !== null && !/^[ \t]/.test(last) && !/^[ \t]/.test(line);
    shown.push(...Array<string>(blanks + (isExtra ? 1 : 0)).fill(''), line);
    last = line;
    blanks = 0;
  }
  return shown;
}
