import type { Node } from 'jsonc-parser';
import { applySplice } from '../../base/splice.ts';

/** What is put in front of the other entries of an object (with a key) or a list (key null). */
export interface NewEntry {
  readonly key: string | null;
  readonly value: unknown;
}

/**
 * The text with one more entry, as the first of its container: one insertion, whatever follows, so that every byte that was
 * there stays. It is laid out as the file is: its indentation, its line ends, one line where the container is on one line.
 */
export function insertJson(text: string, container: Node, entry: NewEntry): string {
  const open = container.offset + 1;
  const children = container.children ?? [];
  const [first] = children;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (first !== undefined && !text.slice(open, first.offset).includes('\n')) {
    const space = /^[ \t]*/.exec(text.slice(open))?.[0] ?? '';
    return insertAt(text, open, `${space}${oneLine(entry)},`);
  }
  const outer = indentAt(text, container.offset);
  const inner = first === undefined ? outer + indentUnit(text) : indentAt(text, first.offset);
  const body = `${eol}${inner}${lines(entry, inner, indentUnit(text), eol)}`;
  if (first !== undefined) return insertAt(text, afterComment(text, open), `${body},`);
  const interior = text.slice(open, container.offset + container.length - 1);
  return interior.includes('\n')
    ? insertAt(text, afterComment(text, open), body)
    : insertAt(text, open, `${body}${eol}${outer}`);
}

/** A file with nothing but this value. */
export function newJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The value in place of another one, laid out as the file is. */
export function replaceJson(text: string, node: Node, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const isOneLine = !text.slice(node.offset, node.offset + node.length).includes('\n');
  const insert = isOneLine
    ? oneLine({ key: null, value })
    : lines({ key: null, value }, indentAt(text, node.offset), indentUnit(text), eol);
  return applySplice(text, { start: node.offset, deleteCount: node.length, insert });
}

function oneLine({ key, value }: NewEntry): string {
  const json = JSON.stringify(value);
  return key === null ? json : `${JSON.stringify(key)}: ${json}`;
}

function lines({ key, value }: NewEntry, indent: string, unit: string, eol: string): string {
  const json = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  return key === null ? json : `${JSON.stringify(key)}: ${json}`;
}

/** Behind a comment that ends the line of the opening bracket: it belongs to that line. */
function afterComment(text: string, open: number): number {
  const comment = /^[ \t]*\/\/[^\r\n]*?(?=[ \t]*(\r?\n|$))/.exec(text.slice(open));
  return open + (comment?.[0].length ?? 0);
}

/** White space at the start of the line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function indentUnit(text: string): string {
  return /^[ \t]*[{[][^\n]*\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function insertAt(text: string, start: number, insert: string): string {
  return applySplice(text, { start, deleteCount: 0, insert });
}
