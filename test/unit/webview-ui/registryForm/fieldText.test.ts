import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { formFields } from '../../../../src/languageServer/form/formFields.ts';
import { type FormField, MASKED } from '../../../../src/protocol/modelsLanguage/formState.ts';
import {
  readText,
  textOf,
  type Reading,
} from '../../../../webview-ui/registryForm/facts/fieldText.ts';
import { originOf, shortText } from '../../../../webview-ui/registryForm/facts/originWords.ts';
import { sectionOfKey, sectionsOf } from '../../../../webview-ui/registryForm/facts/sections.ts';

function field(kind: FormField['kind'], rest: Partial<FormField> = {}): FormField {
  return { key: 'k', kind, description: '', ...rest };
}

const AUTO = field('numberOrAuto', { choices: ['auto'] });

describe('what a person types', () => {
  const rows: readonly [FormField, text: string, Reading][] = [
    [field('text'), '', { kind: 'none' }],
    [field('text'), ' a ', { kind: 'value', value: ' a ' }],
    [field('text'), '12', { kind: 'value', value: '12' }],
    [field('longText'), 'a\nb', { kind: 'value', value: 'a\nb' }],
    [field('number'), ' 2.5 ', { kind: 'value', value: 2.5 }],
    [field('number'), '1e3', { kind: 'value', value: 1000 }],
    [field('number'), '  ', { kind: 'none' }],
    [field('number'), '-1', { kind: 'value', value: -1 }],
    [field('number'), '2,5', { kind: 'bad', message: '"2,5" is not a number. Use digits.' }],
    [field('number'), '1e999', { kind: 'bad', message: '"1e999" is not a number. Use digits.' }],
    [
      field('number'),
      'Infinity',
      { kind: 'bad', message: '"Infinity" is not a number. Use digits.' },
    ],
    [field('integer'), '3', { kind: 'value', value: 3 }],
    [field('integer'), '3.5', { kind: 'bad', message: '"3.5" is not a whole number.' }],
    [AUTO, 'auto', { kind: 'value', value: 'auto' }],
    [AUTO, '4', { kind: 'value', value: 4 }],
    [AUTO, 'lots', { kind: 'bad', message: '"lots" is not a number. Use digits, or auto.' }],
    [field('switch'), 'true', { kind: 'value', value: true }],
    [field('switch'), 'false', { kind: 'value', value: false }],
    [field('switchOrWord'), 'auto', { kind: 'value', value: 'auto' }],
    [field('switchOrWord'), 'true', { kind: 'value', value: true }],
    [field('choice'), '', { kind: 'none' }],
  ];
  for (const [each, text, reading] of rows)
    it(`${JSON.stringify(text)} in a ${each.kind}`, () =>
      assert.deepEqual(readText(each, text), reading));

  it('never brings the dots that stand for a key into the file', () => {
    for (const kind of ['text', 'longText', 'number', 'choice'] as const)
      assert.equal(readText(field(kind), `http://u:${MASKED}@h`).kind, 'bad');
  });

  it('is the text of the value again, whatever the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const reading = readText(field('number'), textOf(value));
        assert.ok(reading.kind === 'value' && reading.value === (value === 0 ? 0 : value));
      }),
    );
  });

  it('shows what does not fit its field as it stands', () => {
    assert.equal(textOf({ a: [1] }), '{"a":[1]}');
    assert.equal(textOf(null), 'null');
    assert.equal(textOf('lots'), 'lots');
  });
});

describe('what counts where the file says nothing', () => {
  const rows: readonly [FormField, inherited: unknown, words: string][] = [
    [field('number', { default: 600 }), undefined, 'default 600'],
    [field('number', { default: 600 }), 600, 'default 600'],
    [field('number', { default: 600 }), 900, '900, from the user file'],
    [field('switch', { default: false }), undefined, 'default off'],
    [field('switch', { default: false }), true, 'on, from the user file'],
    [field('list', { default: ['a', 'b'] }), ['a', 'b'], 'default a, b'],
    [field('list', { default: [] }), [], ''],
    [field('text'), undefined, ''],
    [field('text', { default: '' }), '', ''],
    [field('text'), 'x', 'x, from the user file'],
  ];
  for (const [each, inherited, words] of rows)
    it(`${JSON.stringify(each.default)} and ${JSON.stringify(inherited)}: ${words}`, () =>
      assert.equal(originOf(each, inherited, 'workspace').words, words));

  it('is one line', () => assert.equal(shortText('a\nb\n'), 'a …'));
});

describe('the sections', () => {
  const root = formFields();

  it('have each key of the schema exactly once', () => {
    const keys = sectionsOf(root).flatMap(({ fields }) => fields.map(({ key }) => key));
    assert.deepEqual(keys.toSorted(), (root.fields ?? []).map(({ key }) => key).toSorted());
  });

  it('say what is not active', () =>
    assert.deepEqual(
      sectionsOf(root)
        .filter(({ isInactive }) => isInactive)
        .map(({ id }) => id),
      ['fleet', 'router', 'ledger'],
    ));

  it('give a key that the page has never heard of a section of its own', () => {
    const more = { ...root, fields: [...(root.fields ?? []), field('text', { key: 'newest' })] };
    assert.equal(sectionsOf(more).at(-1)?.id, 'newest');
    assert.equal(sectionOfKey(sectionsOf(more), 'newest')?.title, 'newest');
    assert.equal(sectionOfKey(sectionsOf(root), 'worktrees')?.id, 'review');
    assert.equal(sectionOfKey(sectionsOf(root), 'nonsense')?.id, 'endpoints');
  });
});
