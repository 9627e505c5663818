import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isCollection, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import { editModelsText } from '../../../../src/config/edit/editModelsText.ts';
import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';
import { edited, goingWith, type Plain, plainOf, targetsIn } from './plainModel.ts';

const FOLDER = path.join(import.meta.dirname, '../../../fixtures/models');

/** Files in which some edits would change a second place (anchors, merge keys) or have no plain text to change. */
const MAY_REFUSE = new Set([
  'anchors.yaml',
  'merge-list.yaml',
  'explicit-keys.yaml',
  'tags.yaml',
  'localagents.yaml',
]);

describe('editModelsText, on files as people write them', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

  it('has the corpus as it was written', () => {
    assert.ok(files.length >= 25);
    const bytes = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
    // A checkout that changes line ends or drops the mark at the start would take these tests' point away.
    assert.match(bytes('crlf.yaml'), /^(.*\r\n)+$/);
    assert.ok(bytes('bom.yaml').startsWith('\uFEFF'));
  });

  for (const file of files) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const data = read(text);

    it(`${file}: every single edit, and back`, function () {
      this.timeout(60_000);
      assert.deepEqual(editModelsText(text, []), { isOk: true, text, replacements: [] });
      let made = 0;
      const refused: string[] = [];
      for (const edit of editsOf(data)) {
        const expected = edited(data, edit);
        assert.ok(expected !== null, JSON.stringify(edit));
        const result = editModelsText(text, [edit]);
        const what = `${JSON.stringify(edit)}\n${result.isOk ? result.text : result.message}`;
        if (!result.isOk) {
          refused.push(what);
          continue;
        }
        made++;
        assert.deepEqual(read(result.text), expected, what);
        if (isSame(data, expected)) assert.equal(result.text, text, what);
        checkLines(text, result.text, edit, what);
        goBack(text, data, result.text, edit);
      }
      assert.ok(made > 0);
      if (!MAY_REFUSE.has(file)) assert.deepEqual(refused, []);
    });
  }

  it('says why a file cannot be changed, and changes nothing', () => {
    const words: [file: string, message: RegExp][] = [
      ['duplicate-keys.yaml', /Line 6: "a" is on line 2 and again on line 6/],
      ['two-documents.yaml', /more than one document/],
      ['tabs.yaml', /Line 2: tabs cannot be used/],
      ['open-bracket.yaml', /Line \d: /],
      ['list.yaml', /is a list/],
    ];
    for (const [file, message] of words) {
      const text = readFileSync(path.join(FOLDER, 'refused', file), 'utf8');
      const result = editModelsText(text, [{ kind: 'set', path: ['secrets'], value: 'file' }]);
      assert.ok(!result.isOk);
      assert.match(result.message, message);
      assert.match(result.message, /Open the file as YAML/);
    }
  });
});

function read(text: string): Plain {
  const document = parseDocument(text, { merge: true });
  assert.deepEqual(
    document.errors.map((error) => error.message),
    [],
    text,
  );
  return plainOf(document.toJS({ mapAsMap: true }) ?? new Map());
}

function isSame(a: Plain, b: Plain): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** JSON cannot say where a key of digits stands. */
function isOrdered(value: unknown): boolean {
  return !/[{,]"\d+":/.test(JSON.stringify(value));
}

/** Every single edit that a form could make of a file. */
function editsOf(data: Plain): ConfigEdit[] {
  const edits: ConfigEdit[] = [
    { kind: 'set', path: ['x-new'], value: { inner: { one: 1, two: ['a', 'b'] } } },
    { kind: 'set', path: ['secrets'], value: 'file' },
  ];
  for (const { path: at, value, isGroup, isList, size } of targetsIn(data)) {
    if (at.length === 0) continue;
    edits.push({ kind: 'remove', path: at });
    if (isOrdered(value)) edits.push({ kind: 'set', path: at, value });
    if (typeof at.at(-1) === 'string') edits.push({ kind: 'rename', path: at, to: 'x-named' });
    for (const to of [0, 1, 2]) edits.push({ kind: 'move', path: at, to });
    if (isGroup) {
      edits.push({ kind: 'set', path: [...at, 'x-new'], value: 'plain' });
      edits.push({ kind: 'set', path: [...at, 'x-new'], value: { base_url: 'http://new', n: 1 } });
      edits.push({ kind: 'set', path: at, value: 'no group any more' });
    } else if (isList) {
      edits.push({ kind: 'set', path: [...at, size], value: 'one-more' });
      edits.push({ kind: 'set', path: at, value: ['first', ...(value as string[])] });
    } else {
      for (const other of ['other', 'needs: "quotes" # here', 'two\nlines\n', 7, true]) {
        edits.push({ kind: 'set', path: at, value: other });
      }
      edits.push({ kind: 'set', path: at, value: ['a', 'b'] });
      edits.push({ kind: 'set', path: at, value: { k: 'v' } });
    }
  }
  return edits;
}

/** What an edit may do to the lines of a file: everything before and behind the place that it names stays, byte for byte. */
function checkLines(before: string, after: string, edit: ConfigEdit, what: string): void {
  const old = before.replace('\uFEFF', '').split(/(?<=\n)/);
  const now = after.replace('\uFEFF', '').split(/(?<=\n)/);
  assert.equal(after.startsWith('\uFEFF'), before.startsWith('\uFEFF'), what);
  // Comments of what stays stay; only what is taken away or replaced as a whole takes its own along.
  const isAdded = edit.kind === 'set' && edit.path.at(-1) === 'x-new';
  if (edit.kind === 'move' || edit.kind === 'rename' || isAdded) {
    assert.deepEqual(comments(after), comments(before), what);
  }
  if (edit.kind === 'rename') {
    assert.equal(now.length, old.length, what);
    assert.equal(now.filter((line, index) => line !== old[index]).length, 1, what);
  }
  if (edit.kind === 'move') {
    if (!isInBrackets(before, edit.path))
      assert.deepEqual(ended(now).sort(), ended(old).sort(), what);
    return;
  }
  const region = regionOf(before, edit);
  if (region === 'all') return;
  if (region === null) return assert.ok(isSubsequence(ended(old), ended(now)), what);
  const head = old.slice(0, region.first);
  assert.deepEqual(now.slice(0, head.length), head, `before the place: ${what}`);
  const tail = old.slice(region.last + 1);
  const end = tail.length === 0 ? [] : now.slice(-tail.length);
  assert.deepEqual(end, tail, `behind the place: ${what}`);
}

/** A last line without an end gets one when something comes behind it. */
function ended(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== '').map((line) => line.replace(/\r?\n$/, ''));
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
}

/** The lines, from 0, of what an edit names; null: it is a key of the file that is not there yet; all: a file in brackets. */
function regionOf(text: string, edit: ConfigEdit): { first: number; last: number } | null | 'all' {
  const data = read(text);
  const there = new Set(targetsIn(data).map((target) => JSON.stringify(target.path)));
  let at = edit.kind === 'remove' ? goingWith(data, edit.path) : edit.path;
  const siblings = [...there].filter((each) =>
    each.startsWith(`${JSON.stringify(at.slice(0, -1)).slice(0, -1)},`),
  );
  while (at.length > 0 && !there.has(JSON.stringify(at))) at = at.slice(0, -1);
  const isEmptied = edit.kind === 'remove' && siblings.length === 1 && at.length > 1;
  if (isEmptied) at = at.slice(0, -1);
  // Brackets are one place: a comma of the neighbour comes or goes.
  while (at.length > 0 && isInBrackets(text, at)) at = at.slice(0, -1);
  if (at.length === 0) return isInBrackets(text, ['any']) ? 'all' : null;
  const lines = text.split('\n');
  const [start, end] = offsetsOf(text, at);
  let first = text.slice(0, start).split('\n').length - 1;
  let last = text.slice(0, Math.max(end - 1, start)).split('\n').length - 1;
  const column = (lines[first] ?? '').search(/\S/);
  // The first key of a group behind a "-": the next one takes its place.
  if (edit.kind === 'remove' && start > text.lastIndexOf('\n', start - 1) + 1 + column) last++;
  const isComment = (line: string | undefined, test: (indent: number) => boolean) =>
    line !== undefined && /^\s*#/.test(line) && test(line.search(/\S/));
  while (edit.kind === 'remove' && isComment(lines[first - 1], (indent) => indent === column))
    first--;
  for (let next = last + 1; next < lines.length; next++) {
    if (isComment(lines[next], (indent) => indent > column)) last = next;
    else if ((lines[next] ?? '').trim() !== '') break;
  }
  return { first, last };
}

function offsetsOf(text: string, at: ConfigEdit['path']): [start: number, end: number] {
  let node: unknown = parseDocument(text, { merge: true }).contents;
  let found: [number, number] = [0, 0];
  for (const segment of at) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && nameIn(item.key.value) === segment,
      );
      // What comes in through a merge key is written behind the last key of its group.
      if (pair === undefined) return found;
      const key = pair.key as Scalar;
      const value = pair.value as Node | null;
      found = [key.range?.[0] ?? 0, Math.max(key.range?.[1] ?? 0, value?.range?.[1] ?? 0)];
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(segment)] as Node;
      found = [item.range?.[0] ?? 0, item.range?.[1] ?? 0];
      node = item;
    }
  }
  return found;
}

/** The mark of a merge key is no name. */
function nameIn(key: unknown): string | null {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : null;
}

function isInBrackets(text: string, at: ConfigEdit['path']): boolean {
  const parent = parseDocument(text, { merge: true }).getIn(at.slice(0, -1), true);
  return isCollection(parent) && parent.flow === true;
}

function comments(text: string): string[] {
  return (text.match(/(?<=^|\s)#.*/g) ?? []).map((line) => line.trimEnd()).sort();
}

/** The edit undone gives the data back, and for a plain change of a value or name the bytes as well. */
function goBack(text: string, data: Plain, after: string, edit: ConfigEdit): void {
  const back = backOf(data, edit);
  if (back === null) return;
  const result = editModelsText(after, [back]);
  const what = `${JSON.stringify(edit)} and back in\n${after}`;
  assert.ok(result.isOk, `${what}\n${JSON.stringify(result)}`);
  assert.deepEqual(read(result.text), data, what);
  if (edit.kind === 'rename' && /["']/.exec(text) === null) assert.equal(result.text, text, what);
}

function backOf(data: Plain, edit: ConfigEdit): ConfigEdit | null {
  const parent = edit.path.slice(0, -1);
  const last = edit.path.at(-1) ?? '';
  if (edit.kind === 'rename') {
    return { kind: 'rename', path: [...parent, edit.to], to: String(last) };
  }
  const there = targetsIn(data).find((target) => isSamePath(target.path, edit.path));
  if (edit.kind === 'set') {
    return there === undefined || !isOrdered(there.value)
      ? null
      : { kind: 'set', path: edit.path, value: there.value };
  }
  if (edit.kind === 'move') {
    const siblings = targetsIn(data).filter(
      (target) =>
        target.path.length === edit.path.length && isSamePath(target.path.slice(0, -1), parent),
    );
    const from = siblings.findIndex((target) => isSamePath(target.path, edit.path));
    const to = Math.min(edit.to, siblings.length - 1);
    return { kind: 'move', path: typeof last === 'number' ? [...parent, to] : edit.path, to: from };
  }
  return null;
}

function isSamePath(a: ConfigEdit['path'], b: ConfigEdit['path']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
