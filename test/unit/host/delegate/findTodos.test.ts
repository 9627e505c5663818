import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { findTodos, todoText } from '../../../../src/host/delegate/findTodos.ts';

const find = (text: string): number[] => {
  const lines = text.split('\n');
  return findTodos({ count: lines.length, lineAt: (index) => lines[index] ?? '' });
};

describe('findTodos', () => {
  const yes = [
    '// TODO handle it',
    'call(); // FIXME: later',
    '/* TODO */',
    ' * TODO in a block',
    '# TODO in Python',
    'x = 1  # FIXME',
    '-- TODO in SQL',
    '; TODO in Lisp',
    '% TODO in TeX',
    '<!-- TODO in HTML -->',
    '// see https://example.test/ TODO',
  ];
  const no = [
    'const TODO = 1;',
    'showTodo(); // todos are shown',
    '// TODOS',
    'fetch("https://host/TODO")',
    'x.TODO',
    '',
  ];
  for (const line of yes) it(`finds ${line}`, () => assert.deepEqual(find(line), [0]));
  for (const line of no) it(`passes over ${line}`, () => assert.deepEqual(find(line), []));

  it('gives the lines, and stays cheap on huge files', () => {
    assert.deepEqual(find('a\n// TODO\nb\n// FIXME'), [1, 3]);
    assert.equal(find(Array<string>(5_000).fill('// TODO').join('\n')).length, 200);
    let read = 0;
    findTodos({ count: 10_000_000, lineAt: () => ((read += 1), 'x') });
    assert.equal(read, 20_000);
    assert.deepEqual(find(`// TODO ${'x'.repeat(2_000)}`), []);
  });

  const texts: [string, string][] = [
    ['  x(); // TODO: handle it  ', 'TODO: handle it'],
    ['/* FIXME later */', 'FIXME later'],
    ['<!-- TODO in HTML -->', 'TODO in HTML'],
    ['nothing', 'nothing'],
  ];
  for (const [line, expected] of texts)
    it(`says ${expected}`, () => assert.equal(todoText(line), expected));
});
