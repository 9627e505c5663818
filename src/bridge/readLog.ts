import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { sanitiseText } from '../base/sanitise.ts';
import { logFile, type LogName } from './jobLog.ts';

export interface LogPage {
  /** Safe to show; at most `maxBytes` of UTF-8. */
  readonly text: string;
  /** Where the text begins. */
  readonly offset: number;
  /** Where the next page begins: 0 when the log has become shorter than `offset`, since then it is another one. */
  readonly nextOffset: number;
  readonly sizeBytes: number;
}

/**
 * One page of a job's log from a byte on. It ends with a line, or in a line that is longer than a page, never within a character. The
 * last line of a log that is still written is kept back until it is whole (`isOver` false). With `isFromLineStart` the rest of a line
 * that began before `offset` is left out; a page that lies within one line is empty then.
 */
export function readLog(
  dir: string,
  what: LogName,
  options: { offset: number; maxBytes: number; isOver: boolean; isFromLineStart?: boolean },
): LogPage {
  const { maxBytes } = options;
  let { offset } = options;
  const file = openLog(logFile(dir, what));
  if (file === null) return { text: '', offset: 0, nextOffset: 0, sizeBytes: 0 };
  try {
    const sizeBytes = fstatSync(file).size;
    if (sizeBytes < offset) return { text: '', offset: 0, nextOffset: 0, sizeBytes };
    const found = Buffer.alloc(Math.min(maxBytes, sizeBytes - offset));
    let bytes = found.subarray(0, readSync(file, found, 0, found.length, offset));
    if (options.isFromLineStart === true && offset > 0 && !endsLine(file, offset - 1)) {
      const lineEnd = bytes.indexOf(0x0a);
      const rest = lineEnd === -1 ? bytes.length : lineEnd + 1;
      offset += rest;
      bytes = bytes.subarray(rest);
    }
    const isEnd = options.isOver && offset + bytes.length >= sizeBytes;
    const isJson = what === 'events' || what === 'requests';
    let length = isEnd ? bytes.length : pageLength(bytes, maxBytes);
    let text = clean(bytes.subarray(0, length), isJson);
    while (Buffer.byteLength(text) > maxBytes) {
      // Bytes that are no text grow when they are shown.
      length = pageLength(bytes.subarray(0, Math.floor(length / 2)), 0);
      text = clean(bytes.subarray(0, length), isJson);
    }
    return { text, offset, nextOffset: offset + length, sizeBytes };
  } finally {
    closeSync(file);
  }
}

function openLog(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function endsLine(file: number, position: number): boolean {
  const byte = Buffer.alloc(1);
  return readSync(file, byte, 0, 1, position) === 1 && byte[0] === 0x0a;
}

/** Up to the last line end; without one, nothing, or whole characters when that much could not be a line that is still written. */
function pageLength(bytes: Buffer, fullBytes: number): number {
  const lineEnd = bytes.lastIndexOf(0x0a);
  if (lineEnd !== -1) return lineEnd + 1;
  return bytes.length < fullBytes ? 0 : wholeCharacters(bytes);
}

/** Length without a character that has only begun; bytes that are no UTF-8 at all are not waited for. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    const isCut = needs > back && bytes.length > back;
    return isCut ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function clean(bytes: Buffer, isJson: boolean): string {
  const text = bytes.toString('utf8');
  if (!isJson) return sanitiseText(text);
  return text
    .split('\n')
    .map((line) => cleanJson(line))
    .join('\n');
}

/** What a model said stands escaped in JSON, so each text is cleaned by itself. */
function cleanJson(line: string): string {
  if (line === '') return '';
  try {
    return JSON.stringify(JSON.parse(line), cleanValue);
  } catch (error) {
    // A line that was cut by a full disk, say, or nested without end by a hostile model.
    if (error instanceof SyntaxError || error instanceof RangeError) return sanitiseText(line);
    throw error;
  }
}

function cleanValue(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return sanitiseText(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([name]) => sanitiseText(name) === name)) return value;
  return Object.fromEntries(entries.map(([name, item]) => [sanitiseText(name), item]));
}
