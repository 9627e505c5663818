import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseDocument } from 'yaml';
import { editModelsText } from '../../../../src/config/edit/editModelsText.ts';
import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';
import { edited, type Plain, plainOf, type Target, targetsIn, valueOf } from './plainModel.ts';
import { type Habits, type Tree, writtenYaml } from './writtenYaml.ts';

const name = fc
  .oneof(
    { weight: 6, arbitrary: fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '1',
        'true',
        'null',
        '<<',
        '',
        'a b',
        'é😀',
        '#',
        'a: b',
        'constructor',
      ),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  )
  .filter((key) => key !== '__proto__');
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'http://127.0.0.1:8080',
      '${env:KEY}',
      'auto',
      'a # b',
      'x: y',
      '- z',
      '12',
      'true',
      '',
      ' lead',
      'trail ',
      'glm-*',
      '[a]',
      'é',
      'two\nlines',
      'with end\n',
      'three\n\nlines\n',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('\n', ' ', 'a', '#', '\t'), maxLength: 8 }),
  },
);
const scalar: fc.Arbitrary<Tree> = fc
  .oneof(text, fc.integer({ min: -5, max: 100_000 }), fc.boolean(), fc.constantFrom(2.5, 1e21))
  .map((value) => ({ scalar: value }));
const list: fc.Arbitrary<Tree> = fc
  .array(scalar, { maxLength: 4 })
  .map((items) => ({ list: items }));
/** JSON cannot say where a key of digits stands. */
const isOrdered = (tree: Tree): boolean =>
  !('map' in tree) || !tree.map.some(([key]) => /^\d+$/.test(key));
const groupOf = (value: fc.Arbitrary<Tree>, minLength = 0): fc.Arbitrary<Tree> =>
  fc
    .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, minLength, maxLength: 4 })
    .map((entries) => ({ map: entries }));
const entry = groupOf(fc.oneof(scalar, scalar, list, groupOf(scalar)));
const section = fc.oneof(groupOf(entry, 1), groupOf(fc.oneof(scalar, list), 1));
const file: fc.Arbitrary<Tree> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('endpoints', 'pools', 'failover', 'defaults', 'gates', 'models', 'x-other'),
      section,
    ),
    { selector: ([key]) => key, minLength: 1, maxLength: 4 },
  )
  .map((entries) => ({ map: entries }));
const habits: fc.Arbitrary<Habits> = fc.record({
  seed: fc.nat(),
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  step: fc.constantFrom(1, 2, 2, 3, 4),
  hasBom: fc.boolean(),
  hasMarks: fc.boolean(),
  hasLastLineEnd: fc.boolean(),
});

/** What to do, before it is known where: the numbers choose among what is there. */
const wish = fc.record({
  kind: fc.constantFrom('value', 'value', 'add', 'remove', 'rename', 'move', 'group'),
  which: fc.nat(),
  to: fc.nat(5),
  name,
  value: fc.oneof(scalar, scalar, list, groupOf(scalar).filter(isOrdered)),
});

function editOf(
  data: Plain,
  one: typeof wish extends fc.Arbitrary<infer T> ? T : never,
): ConfigEdit | null {
  const targets = targetsIn(data);
  const fitting = targets.filter((target: Target) => {
    if (one.kind === 'add') return target.isGroup || target.isList;
    if (one.kind === 'value' || one.kind === 'group') return target.path.length > 1;
    return target.path.length > 0;
  });
  const target = fitting[one.which % Math.max(fitting.length, 1)];
  if (target === undefined) return null;
  const value = valueOf(plainOf(one.value));
  switch (one.kind) {
    case 'value':
    case 'group':
      return { kind: 'set', path: target.path, value };
    case 'add':
      return { kind: 'set', path: [...target.path, target.isList ? target.size : one.name], value };
    case 'remove':
      return { kind: 'remove', path: target.path };
    case 'rename':
      return typeof target.path.at(-1) === 'number'
        ? null
        : { kind: 'rename', path: target.path, to: one.name };
    case 'move':
      return { kind: 'move', path: target.path, to: one.to };
  }
}

describe('editModelsText, for any document and edits', () => {
  it('gives the same bytes when nothing is edited', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(file, habits, (tree, how) => {
        const before = writtenYaml(tree, how);
        const result = editModelsText(before, []);
        assert.deepEqual(result, { isOk: true, text: before, replacements: [] });
        const data = plainOf(tree);
        const same = targetsIn(data).filter((target) => target.path.length > 0);
        for (const target of same) {
          const again = editModelsText(before, [
            { kind: 'set', path: target.path, value: target.value },
          ]);
          assert.deepEqual(again, { isOk: true, text: before, replacements: [] });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('makes exactly the edits, and leaves the lines of everything else', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(
        file,
        habits,
        fc.array(wish, { minLength: 1, maxLength: 3 }),
        (tree, how, wishes) => {
          const before = writtenYaml(tree, how);
          let data = plainOf(tree);
          assert.deepEqual(read(before), data, `the generator is wrong: ${before}`);
          let now = before;
          const edits: ConfigEdit[] = [];
          for (const one of wishes) {
            const edit = editOf(data, one);
            if (edit === null) continue;
            const expected = edited(data, edit);
            const result = editModelsText(now, [edit]);
            if (expected === null) {
              assert.ok(!result.isOk, `${JSON.stringify(edit)} must be refused in\n${now}`);
              continue;
            }
            assert.ok(result.isOk, `${JSON.stringify([edit, result])} in\n${now}`);
            assert.deepEqual(read(result.text), expected, `${JSON.stringify(edit)} in\n${now}`);
            assert.equal(replaced(now, result.replacements), result.text);
            edits.push(edit);
            data = expected;
            now = result.text;
          }
          const all = editModelsText(before, edits);
          assert.ok(all.isOk);
          assert.equal(all.text, now);
          assert.equal(replaced(before, all.replacements), now);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never throws, whatever the text and the edits are', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          'a',
          ':',
          ' ',
          '\n',
          '-',
          '[',
          ']',
          '{',
          '}',
          '#',
          '&',
          '*',
          '|',
          '>',
          '"',
          "'",
          '?',
          ',',
          '<<',
          '\r\n',
          '!',
          '%',
          '~',
        ),
        maxLength: 40,
      }),
    );
    const path = fc.array(fc.oneof(name, fc.constantFrom('a', '__proto__', '<<'), fc.nat(3)), {
      maxLength: 3,
    });
    const edit: fc.Arbitrary<ConfigEdit> = fc.oneof(
      fc.record({
        kind: fc.constant('set' as const),
        path,
        value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<never>,
      }),
      fc.record({ kind: fc.constant('remove' as const), path }),
      fc.record({ kind: fc.constant('rename' as const), path, to: name }),
      fc.record({ kind: fc.constant('move' as const), path, to: fc.nat(3) }),
    );
    fc.assert(
      fc.property(anyText, fc.array(edit, { maxLength: 3 }), (before, edits) => {
        const result = editModelsText(before, edits);
        if (result.isOk) assert.equal(replaced(before, result.replacements), result.text);
        else assert.match(result.message, /\S/);
      }),
      { numRuns: 2000 },
    );
  });
});

function read(source: string): Plain {
  const document = parseDocument(source, { merge: true });
  assert.deepEqual(document.errors, []);
  return plainOf(document.toJS({ mapAsMap: true }) ?? new Map());
}

function replaced(
  before: string,
  replacements: readonly { start: number; end: number; newText: string }[],
): string {
  let last = -1;
  for (const { start, end } of replacements) {
    assert.ok(start > last && end >= start, 'sorted, not touching');
    last = end;
  }
  return replacements.reduceRight(
    (now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end),
    before,
  );
}
