const OPENING = /^([ \t]*)(`{3,})rehearsal[ \t]*$/;

/**
 * The text inside the last ```rehearsal block, without the block's own indentation, or null when there is none.
 * A longer fence (````rehearsal) may hold ``` lines; a block that is never closed ends with the text.
 */
export function findScriptText(text: string): string | null {
  let found: string | null = null;
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const opening = OPENING.exec(lines[i] ?? '');
    if (opening === null) continue;
    const [, indent = '', fence = ''] = opening;
    const body: string[] = [];
    for (i++; i < lines.length; i++) {
      const line = lines[i] ?? '';
      if (line.trim() === fence) break;
      body.push(line.startsWith(indent) ? line.slice(indent.length) : line.trimStart());
    }
    found = body.join('\n');
  }
  return found;
}
