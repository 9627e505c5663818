import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editModelsText } from '../../../../src/config/edit/editModelsText.ts';
import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';

const FILE = `# top
endpoints:   # eps
  a:
    base_url:   'http://a'  # url
    # note
    notes:  "n"

  # before b
  b: { base_url: http://q }  # flow
defaults:
  max_turns:   7  # seven
`;

describe('editModelsText', () => {
  const table: [name: string, before: string, edits: ConfigEdit[], after: string][] = [
    [
      'replaces a value, and keeps its quotes and the comment behind it',
      FILE,
      [{ kind: 'set', path: ['endpoints', 'a', 'base_url'], value: 'http://b:1' }],
      FILE.replace("'http://a'", "'http://b:1'"),
    ],
    [
      'adds a key to a group in brackets, with the quotes that it needs there',
      FILE,
      [{ kind: 'set', path: ['endpoints', 'b', 'api_key'], value: '${env:K}' }],
      FILE.replace('http://q }', 'http://q, api_key: "${env:K}" }'),
    ],
    [
      'takes an entry away with the comment above it',
      FILE,
      [{ kind: 'remove', path: ['endpoints', 'b'] }],
      FILE.replace('  # before b\n  b: { base_url: http://q }  # flow\n', ''),
    ],
    [
      'takes the section with its last key',
      FILE,
      [{ kind: 'remove', path: ['defaults', 'max_turns'] }],
      FILE.replace('defaults:\n  max_turns:   7  # seven\n', ''),
    ],
    [
      'moves an entry with its comment',
      FILE,
      [{ kind: 'move', path: ['endpoints', 'b'], to: 0 }],
      FILE.replace(
        /( {2}a:\n[^]*"n"\n)\n( {2}# before b\n.*\n)/,
        (_, a: string, b: string) => `${b}\n${a}`,
      ),
    ],
    [
      'renames a key, and sees the new name in the next edit',
      FILE,
      [
        { kind: 'rename', path: ['endpoints', 'a'], to: 'zz' },
        { kind: 'set', path: ['endpoints', 'zz', 'host'], value: 'h' },
      ],
      FILE.replace('  a:', '  zz:').replace('"n"\n', '"n"\n    host: h\n'),
    ],
    [
      'moves an item in brackets with its comments, and leaves the commas',
      'a: [\n  x, # of x\n  # over y\n  y\n  ]\n',
      [{ kind: 'move', path: ['a', 1], to: 0 }],
      'a: [\n  # over y\n  y,\n  x # of x\n  ]\n',
    ],
    [
      'writes out a group that came in through an alias, and leaves where it came from',
      'a: &a\n  x: 1\n  y: 2\nb: *a\n',
      [{ kind: 'set', path: ['b', 'x'], value: 3 }],
      'a: &a\n  x: 1\n  y: 2\nb:\n  x: 3\n  y: 2\n',
    ],
    [
      'writes beside a merge key',
      'a: &a\n  x: 1\nb:\n  <<: *a # from a\n',
      [{ kind: 'set', path: ['b', 'x'], value: 3 }],
      'a: &a\n  x: 1\nb:\n  <<: *a # from a\n  x: 3\n',
    ],
    [
      'keeps the comments of a list that is set anew',
      'a:\n- x # of x\n# over y\n- y\n',
      [{ kind: 'set', path: ['a'], value: ['y', 'x', 'z'] }],
      'a:\n# over y\n- y\n- x # of x\n- z\n',
    ],
  ];
  for (const [name, before, edits, after] of table) {
    it(name, () => {
      const result = editModelsText(before, edits);
      assert.ok(result.isOk, JSON.stringify(result));
      assert.equal(result.text, after);
    });
  }

  it('refuses what would change a second place, and says what to do', () => {
    const before = 'a: &a\n  x: 1\nb:\n  <<: *a\nc: *a\n';
    const edits: ConfigEdit[] = [
      { kind: 'set', path: ['a', 'x'], value: 2 },
      { kind: 'remove', path: ['b', 'x'] },
      { kind: 'remove', path: ['a'] },
      { kind: 'move', path: ['a'], to: 2 },
    ];
    for (const edit of edits) {
      const result = editModelsText(before, [edit]);
      assert.ok(!result.isOk, JSON.stringify(result));
      assert.match(result.message, /^".*" cannot be changed here\. .*Open the file as YAML/);
    }
  });
});
