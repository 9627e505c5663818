import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foundRows, otherRows, planRows } from '../../../../src/host/importConfig/importRows.ts';
import { readImportChoice } from '../../../../src/host/importConfig/readImportChoice.ts';

const PLAN = {
  source: '/f',
  sourceSha256: 's',
  targetFile: '/models.yaml',
  isNew: false,
  beforeSha256: 'b',
  afterSha256: 'a',
  replacements: [],
  notes: ['"$(error) \u001b[31mx" was left out: no such key.'],
  secrets: [
    { name: 'a', source: 'x', isKept: true },
    { name: 'b', source: 'y', isKept: false },
  ],
  problems: [{ line: 3, column: 1, severity: 'warning' as const, message: 'a window is small' }],
};

describe('the rows of an import', () => {
  it('offer to apply in a trusted window alone, and to cancel in any', () => {
    const decisions = (isTrusted: boolean): unknown[] =>
      planRows(PLAN, isTrusted).actions.map(({ decision }) => decision);
    assert.deepEqual(decisions(true), ['apply', 'cancel']);
    assert.deepEqual(decisions(false), ['cancel']);
    assert.match(
      planRows(PLAN, false).notes[0]?.label ?? '',
      /Nothing is written in Restricted Mode/,
    );
    assert.ok(planRows(PLAN, true).notes.every(({ decision }) => decision === null));
  });

  it('say of a key that is not kept yet that it is asked about, and whether the file is new', () => {
    assert.match(planRows(PLAN, true).actions[0]?.detail ?? '', /asks what to do with the key/);
    const kept = planRows({ ...PLAN, secrets: [], isNew: true }, true).actions[0];
    assert.deepEqual([kept?.label, kept?.detail], ['$(check) Create the file', '/models.yaml']);
  });

  it('show foreign text without its icons and escape sequences', () => {
    const labels = planRows(PLAN, true).notes.map(({ label }) => label);
    assert.equal(labels[0], '$(warning) Line 3: a window is small');
    assert.ok(!labels[1]?.includes('$(error)') && !labels[1]?.includes('\u001b'));
    const [row] = foundRows([{ kind: 'litellm', path: '/$(x)', baseUrl: null, detail: '/$(x)' }]);
    assert.ok(!row?.description.includes('$(x)'));
    assert.deepEqual(row?.choice, { kind: 'litellm', path: '/$(x)' });
  });

  it('offer no server to ask in Restricted Mode', () => {
    const kinds = (isTrusted: boolean): string[] =>
      otherRows(isTrusted).map(({ choice }) => choice.kind);
    assert.deepEqual(kinds(true), ['litellm', 'localagents', 'ollama', 'lmstudio']);
    assert.deepEqual(kinds(false), ['litellm', 'localagents']);
  });
});

describe('readImportChoice', () => {
  for (const [given, expected] of [
    [undefined, undefined],
    ['litellm', undefined],
    [{ kind: 'kong' }, undefined],
    [{ kind: 'toString' }, undefined],
    [{ kind: 'litellm' }, undefined],
    [{ kind: 'litellm', path: 3 }, undefined],
    [
      { kind: 'litellm', path: '/f', as: 'x' },
      { kind: 'litellm', path: '/f' },
    ],
    [{ kind: 'environment' }, { kind: 'environment' }],
    [
      { kind: 'ollama', baseUrl: 'http://h' },
      { kind: 'ollama', baseUrl: 'http://h' },
    ],
  ] as const)
    it(`${JSON.stringify(given)} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(readImportChoice(given), expected));
});
