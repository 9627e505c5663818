import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import { formatPath } from '../../../src/config/configPath.ts';
import { readOutline } from '../../../src/languageServer/text/readOutline.ts';
import { marked } from './support/modelsWorld.ts';

const CORPUS = 'test/fixtures/models';

/** Every key and item with its path, and where the key stands, as the parser sees it. */
function parsed(text: string): string[] | null {
  const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'error' });
  if (document.errors.length > 0) return null;
  const found: string[] = [];
  const walk = (node: unknown, at: (string | number)[]): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) throw new Error('a key of another kind');
        const below = [...at, String(key.source ?? key.value)];
        found.push(`${formatPath(below)}@${key.range?.[0]}`);
        walk(value, below);
      }
    }
    if (!isSeq(node)) return;
    node.items.forEach((item, index) => {
      found.push(formatPath([...at, index]));
      walk(item, [...at, index]);
    });
  };
  walk(document.contents, []);
  return found;
}

function outlined(text: string): string[] {
  return readOutline(text).entries.map(
    ({ path: at, key }) => `${formatPath(at)}${key === null ? '' : `@${key.start}`}`,
  );
}

describe('readOutline', () => {
  const files = ['models.example.yaml'];
  if (existsSync(CORPUS)) files.push(...readdirSync(CORPUS).map((file) => path.join(CORPUS, file)));
  for (const file of files.filter((each) => each.endsWith('.yaml'))) {
    it(`finds the keys that the parser finds in ${path.basename(file)}`, function () {
      const text = readFileSync(file, 'utf8');
      const wanted = parsed(text);
      // A broken text has no keys to compare with; what is made of it is what the cursor tables are about.
      if (wanted === null) assert.ok(readOutline(text).entries.length >= 0);
      else assert.deepEqual(outlined(text), wanted);
    });
  }

  it('finds the keys that the parser finds in whatever the printer prints', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.stringMatching(/^[a-z][a-z0-9 .:#*&!'"{}[\]-]{0,12}$/),
    );
    const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,8}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(key, tree, { maxKeys: 4 }),
        fc.constantFrom('any', 'flow' as const, 'block' as const),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (value, style, indent, indentSeq) => {
          const text = stringify(value, {
            indent,
            indentSeq,
            lineWidth: 0,
            ...(style === 'any' ? {} : { collectionStyle: style }),
          });
          const wanted = parsed(text);
          // Long keys are printed with "?", which nobody writes here.
          fc.pre(wanted !== null && !/^\s*\?/m.test(text));
          assert.deepEqual(outlined(text), wanted);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads any text whatsoever, with the cursor anywhere, and ends', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'a: ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        '\n',
        '  ',
        '"',
        "'",
        '|',
        '>',
        '#',
        ':',
        ',',
        '\t',
        '&a ',
        '*a',
        '${env:',
        '\r\n',
        '---\n',
        '\uFEFF',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const offset = at % (text.length + 1);
        const { cursor, entries } = readOutline(text, offset);
        for (const { key, value, end } of entries) {
          assert.ok((key?.start ?? 0) <= (key?.end ?? 0) && value.start <= value.end);
          assert.ok(end <= text.length && value.end <= text.length);
        }
        if (cursor === null) return;
        assert.ok(cursor.word.start <= offset && offset <= cursor.word.end);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the text, not to its square', () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, index) => `  k${index}: { a: [1, 2], b: "x" }`,
    );
    const started = performance.now();
    assert.equal(readOutline(`models:\n${lines.join('\n')}`).entries.length, 1 + 5 * lines.length);
    readOutline(`a: ${'['.repeat(200_000)}`);
    readOutline(`a: "${'x\n  '.repeat(50_000)}`);
    readOutline(`a:\n${' '.repeat(1000)}b: [\n`.repeat(200));
    // A square would take minutes.
    assert.ok(performance.now() - started < 10_000);
  });

  const places: [title: string, text: string, kind: string, at: string, word: string][] = [
    ['an empty document', '|', 'either', '', ''],
    ['a word at the start', 'end|', 'either', '', 'end'],
    [
      'an empty line in a group',
      'endpoints:\n  a:\n    base_url: x\n    |',
      'either',
      'endpoints.a',
      '',
    ],
    ['less indented', 'endpoints:\n  a:\n    base_url: x\n  |', 'either', 'endpoints', ''],
    ['not indented', 'endpoints:\n  a:\n    base_url: x\n|', 'either', '', ''],
    [
      'a half key between others',
      'endpoints:\n  a:\n    ba|\n    format: auto',
      'either',
      'endpoints.a',
      'ba',
    ],
    [
      'a half key after a value',
      'endpoints:\n  a:\n    base_url: x\n    ba|',
      'either',
      'endpoints.a',
      'ba',
    ],
    ['a key with its colon', 'endpoints:\n  a:\n    bas|e: x', 'key', 'endpoints.a', 'base'],
    ['after the colon', 'endpoints:\n  a:\n    backend:|', 'value', 'endpoints.a.backend', ''],
    [
      'after colon and space',
      'endpoints:\n  a:\n    backend: |\n  b:',
      'value',
      'endpoints.a.backend',
      '',
    ],
    [
      'in a value',
      'endpoints:\n  a:\n    backend: vl|lm # x',
      'value',
      'endpoints.a.backend',
      'vllm',
    ],
    ['in quotes', 'defaults:\n  model: "qw|en"', 'value', 'defaults.model', 'qwen'],
    ['in an open quote', 'defaults:\n  model: "qw|\npools: {}', 'value', 'defaults.model', 'qw'],
    [
      'in an item',
      'failover:\n  chains:\n    a:\n      - b\n      - c|',
      'either',
      'failover.chains.a[1]',
      'c',
    ],
    [
      'in an item that is not indented',
      'failover:\n  chains:\n    a:\n    - b\n    - |',
      'either',
      'failover.chains.a[1]',
      '',
    ],
    ['in a flow list', 'failover:\n  chains:\n    a: [b, |]', 'value', 'failover.chains.a[1]', ''],
    [
      'in an open flow list',
      'failover:\n  chains:\n    a: [b, c|\n    d: [e]',
      'value',
      'failover.chains.a[1]',
      'c',
    ],
    ['in an empty flow group', 'pools:\n  default: {|}', 'key', 'pools.default', ''],
    ['in an open flow group', 'pools:\n  default: { sl|\n  glm-: {}', 'key', 'pools.default', 'sl'],
    ['after a key in flow', 'pools:\n  default: { slots: |}', 'value', 'pools.default.slots', ''],
    [
      'in a flow group over several lines',
      'models:\n  a: {\n    format: openai,\n    |\n  }',
      'key',
      'models.a',
      '',
    ],
    ['with CRLF', 'endpoints:\r\n  a:\r\n    backend: |\r\n', 'value', 'endpoints.a.backend', ''],
    ['behind a BOM', '\uFEFFend|', 'either', '', 'end'],
    ['behind an anchor', 'endpoints:\n  a: &x\n    ba|', 'either', 'endpoints.a', 'ba'],
  ];
  for (const [title, source, kind, at, word] of places) {
    it(`says where the cursor is: ${title}`, () => {
      const { text, offset } = marked(source);
      const place = readOutline(text, offset).cursor;
      assert.ok(place !== null);
      assert.deepEqual(
        [place.kind, formatPath(place.path), text.slice(place.word.start, place.word.end)],
        [kind, at, word],
      );
    });
  }

  for (const [title, source] of [
    ['a comment', 'a: b # c|'],
    ['a comment of its own line', '  # c|\n'],
  ] as const) {
    it(`says nothing in ${title}`, () => {
      const { text, offset } = marked(source);
      assert.equal(readOutline(text, offset).cursor, null);
    });
  }

  it('says nothing in a long text', () => {
    const text = 'defaults:\n  system_prompt_append: >\n    some words\n    more\n  model: x\n';
    assert.equal(readOutline(text, text.indexOf('more') + 2).cursor, null);
  });
});
