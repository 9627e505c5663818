/** A text of one line as lines of at most `width` columns, broken at spaces; a word that is longer stands alone. */
export function foldText(text: string, width: number | null): string[] {
  if (width === null || width < 20 || text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
