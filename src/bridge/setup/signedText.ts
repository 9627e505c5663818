import { createHash } from 'node:crypto';

/**
 * Texts that set-up writes whole carry a comment with the hash of the rest, so that an older version of ours and one that
 * somebody has edited can be told apart without a list of old versions. In front matter the comment does not reach the model.
 */
const MARK = /^# Written by Delegation Bridge[^\n]* sha256:([0-9a-f]{64})\n/m;

/** Puts the mark below the first line: `---` of front matter, or `#!`. */
export function signText(text: string, part: string): string {
  const end = text.indexOf('\n') + 1;
  const mark = `# Written by Delegation Bridge; to remove it: delegate setup --remove ${part} · sha256:${hashOf(text)}\n`;
  return text.slice(0, end) + mark + text.slice(end);
}

/** Whether a text is as some version of ours wrote it. */
export function isIntact(text: string): boolean {
  const found = MARK.exec(text);
  return found !== null && hashOf(text.replace(found[0], '')) === found[1];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
