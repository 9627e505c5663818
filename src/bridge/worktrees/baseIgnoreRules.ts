import type { Git } from './gitRunner.ts';

/**
 * All `.gitignore` files of a commit as one file of rules for the whole tree, so that a change list can go by what the job
 * was given and not by what it wrote. Latin-1 text throughout: names and patterns are bytes.
 */
export async function baseIgnoreRules(
  git: Git,
  options: { root: string; base: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const call = { cwd: options.root, readOnly: true, signal: options.signal };
  const tree = await git.run(['ls-tree', '-r', '-z', '--full-tree', options.base], call);
  const files: { folder: string; object: string }[] = [];
  for (const entry of tree.stdout.toString('latin1').split('\0')) {
    const match = /^100\d+ blob ([0-9a-f]+)\t((?:.*\/)?)\.gitignore$/s.exec(entry);
    if (match) files.push({ folder: (match[2] ?? '').replace(/\/$/, ''), object: match[1] ?? '' });
  }
  if (files.length === 0) return '';
  const input = files.map((file) => `${file.object}\n`).join('');
  const batch = await git.run(['cat-file', '--batch'], { ...call, input });
  const contents = parseBatch(batch.stdout.toString('latin1'), files.length);
  const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  return files
    .map((file, at) => ({ folder: file.folder, text: contents[at] ?? '' }))
    .sort((a, b) => depth(a.folder) - depth(b.folder))
    .map((file) => rulesForFolder(file.folder, file.text))
    .join('');
}

/** The rules of one ignore file, rewritten so that they mean the same at the top of the tree. */
export function rulesForFolder(folder: string, text: string): string {
  // No pattern can name a folder with a line end; without its rules more is shown, never less.
  if (folder.includes('\n')) return '';
  const lines = text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => `${folder === '' ? line : moved(folder, line)}\n`)
    .join('');
}

/** A pattern that matches `path` literally, anchored at the top. */
export function literalRule(path: string): string {
  return `/${escapeGlob(path)}\n`;
}

function moved(folder: string, line: string): string {
  const isNegated = line.startsWith('!');
  const pattern = isNegated ? line.slice(1) : line;
  const isAnchored = pattern.trimEnd().replace(/\/$/, '').includes('/');
  const place = `/${escapeGlob(folder)}/${isAnchored ? '' : '**/'}`;
  return `${isNegated ? '!' : ''}${place}${pattern.replace(/^\//, '')}`;
}

function escapeGlob(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&').replace(/ $/, '\\ ');
}

function parseBatch(text: string, count: number): string[] {
  const contents: string[] = [];
  let at = 0;
  while (contents.length < count) {
    const lineEnd = text.indexOf('\n', at);
    const size = Number(text.slice(at, lineEnd).split(' ')[2]);
    contents.push(text.slice(lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 1;
  }
  return contents;
}
