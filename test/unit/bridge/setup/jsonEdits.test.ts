import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { insertJson } from '../../../../src/bridge/setup/insertJson.ts';
import { parseJsonText, plainValue, valueAt } from '../../../../src/bridge/setup/jsonText.ts';
import { entryOf, removeJson } from '../../../../src/bridge/setup/removeJson.ts';
import { applySplice, spliceBetween } from '../../../../src/base/splice.ts';

const VALUE = { hooks: [{ type: 'command', command: 'x "y" \\ {z}', timeout: 5 }] };

/** JSON as people and programs write it: any indentation and line ends, comments, odd white space. */
const jsonText = fc
  .record({
    value: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
    }),
    indent: fc.constantFrom('', '  ', '    ', '\t', ' '),
    eol: fc.constantFrom('\n', '\r\n'),
    comments: fc.boolean(),
    bom: fc.constantFrom('', '\ufeff'),
    end: fc.constantFrom('', '\n', ' '),
  })
  .map(({ value, indent, eol, comments, bom, end }) => {
    let text = JSON.stringify(value, null, indent);
    if (comments && indent !== '') {
      text = text
        .split('\n')
        .map((line, index) => (index % 3 === 0 ? `${line} // { "a": ${index}, ` : line))
        .join('\n');
      text = `/* , */ ${text}`;
    }
    return bom + text.replaceAll('\n', eol) + end;
  });

describe('edits of JSON text', () => {
  it('add one entry, keep every other byte, and go back to the byte', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const before = parseJsonText(text, 'x');
        assert.ok(before.root);
        const after = insertJson(before.text, before.root, { key: ' new ', value: VALUE });
        const parsed = parseJsonText(after, 'x');
        const { ' new ': added, ...others } = plainValue(parsed.root ?? before.root) as Record<
          string,
          unknown
        >;
        assert.deepEqual(added, VALUE);
        assert.deepEqual(others, plainValue(before.root));
        assert.equal(parsed.isStrict, before.isStrict);
        const { deleteCount } = spliceBetween(before.text, after);
        assert.equal(deleteCount, 0, 'nothing but an insertion');
        const entry = valueAt(parsed.root, [' new '], 'x');
        assert.ok(entry);
        const back = removeJson(after, entryOf(entry));
        if ((before.root.children ?? []).length > 0) assert.equal(back, before.text);
        else assert.equal(back.replace(/\s/g, ''), before.text.replace(/\s/g, ''));
      }),
      { numRuns: 500 },
    );
  });

  it('remove any entry, and nothing of the others', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), (text, pick) => {
        const { root, text: body, isStrict } = parseJsonText(text, 'x');
        const children = root?.children ?? [];
        const entry = children[pick % Math.max(children.length, 1)];
        if (root === null || entry === undefined) return;
        const after = parseJsonText(removeJson(body, entry), 'x');
        const expected = plainValue(root) as Record<string, unknown>;
        delete expected[entry.children?.[0]?.value as string];
        assert.ok(after.root);
        assert.deepEqual(plainValue(after.root), expected);
        if (isStrict) assert.ok(after.isStrict);
      }),
      { numRuns: 500 },
    );
  });

  const insertions: readonly [string, string, string][] = [
    ['into an empty object', '{}', '{\n  "x": 1\n}'],
    ['in front of the others', '{\n\t"a": 2\n}', '{\n\t"x": 1,\n\t"a": 2\n}'],
    ['on the same line where there is one', '{"a":2}', '{"x": 1,"a":2}'],
    ['with the spaces of that line', '{ "a": 2 }', '{ "x": 1, "a": 2 }'],
    [
      'below a comment that belongs to the bracket',
      '{ // why\n  "a": 2\n}',
      '{ // why\n  "x": 1,\n  "a": 2\n}',
    ],
    ['above comments inside', '{\r\n  // none\r\n}', '{\r\n  "x": 1\r\n  // none\r\n}'],
  ];
  for (const [name, before, after] of insertions) {
    it(`insert ${name}`, () => {
      const { root } = parseJsonText(before, 'x');
      assert.ok(root);
      assert.equal(insertJson(before, root, { key: 'x', value: 1 }), after);
    });
  }

  const removals: readonly [string, string, string][] = [
    ['the first', '{\n  "x": 1,\n  "a": 2\n}', '{\n  "a": 2\n}'],
    ['the last', '{\n  "a": 2,\n  "x": 1\n}', '{\n  "a": 2\n}'],
    ['the last, with a trailing comma', '{\n  "a": 2,\n  "x": 1,\n}', '{\n  "a": 2,\n}'],
    ['the only one', '{\n  "x": 1\n}', '{}'],
    ['the only one, with a comment beside it', '{\n  // why\n  "x": 1\n}', '{\n  // why\n}'],
    ['one behind a comment', '{ "a": 2, // why\n  "x": 1 }', '{ "a": 2 // why\n }'],
    ['one in the middle of a line', '{"a":2,"x":1,"b":3}', '{"a":2,"b":3}'],
    ['one before a comment', '{\n  "a": 2,\n  "x": 1 // old\n}', '{\n  "a": 2 // old\n}'],
  ];
  for (const [name, before, after] of removals) {
    it(`remove ${name}`, () => {
      const { root } = parseJsonText(before, 'x');
      const entry = valueAt(root, ['x'], 'x');
      assert.ok(entry);
      assert.equal(removeJson(before, entryOf(entry)), after);
    });
  }
});

describe('spliceBetween', () => {
  it('leads from any text to any other, also when half of a pair is the same', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\n', '😀', '😁', '€'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const splice = spliceBetween(before, after);
        assert.equal(applySplice(before, splice), after);
        // Survives the way through UTF-8.
        assert.equal(Buffer.from(splice.insert).toString(), splice.insert);
      }),
      { numRuns: 1000 },
    );
  });
});
