import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/host/delegate/attachment.ts';
import {
  saysSomething,
  type Surroundings,
  whatRows,
} from '../../../../src/host/delegate/whatRows.ts';

const NOTHING: Surroundings = { selection: null, file: null, problems: 0, lastBrief: null };
const AROUND: Surroundings = {
  selection: { path: 'src/a.ts', startLine: 2, endLine: 5 },
  file: 'src/a.ts',
  problems: 2,
  lastBrief: 'Fix the range',
};
const FILE: Attachment = { kind: 'file', path: 'src/a.ts', language: '', text: null, isCut: false };
const OUTPUT: Attachment = { kind: 'output', text: '1 failing', isCut: false };
const BRIEF: Attachment = { kind: 'brief', text: 'Port it\n\nall' };

const labels = (...args: Parameters<typeof whatRows>): string[] =>
  whatRows(...args).map(({ label }) => label);

describe('whatRows', () => {
  it('goes on only when something was said', () => {
    const first = (text: string, attachments: readonly Attachment[] = []) =>
      whatRows(text, attachments, NOTHING, null)[0];
    assert.equal(first('')?.act, null);
    assert.equal(first('  ')?.act, null);
    assert.equal(first('', [FILE])?.act, null);
    assert.deepEqual(first('Fix it')?.act, { kind: 'next' });
    assert.deepEqual(first('', [OUTPUT])?.act, { kind: 'next' });
    assert.equal(first('', [OUTPUT])?.description, 'Find out why this fails, and fix it.');
  });

  it('offers what is around, and not what was added already', () => {
    const all = labels('', [], AROUND, null);
    for (const label of ['The selection', 'The file in front', 'Its problems', 'Delegate Again'])
      assert.ok(all.includes(label), label);
    const after = labels('', [FILE], AROUND, null);
    assert.ok(!after.includes('The file in front'));
    assert.ok(after.includes('src/a.ts'));
    for (const label of ['The selection', 'The file in front', 'Its problems', 'Delegate Again'])
      assert.ok(!labels('', [], NOTHING, null).includes(label), label);
  });

  it('offers to start over only when there is something, and the last brief only when there is nothing', () => {
    assert.ok(!labels('', [], AROUND, null).includes('Start over'));
    assert.ok(labels('x', [], AROUND, null).includes('Start over'));
    assert.ok(!labels('x', [], AROUND, null).includes('Delegate Again'));
  });

  it('tells first what stands in the way, with the way out', () => {
    const [why, way, next] = whatRows('Fix it', [], NOTHING, {
      text: 'No folder is open',
      label: 'Open Folder…',
      command: 'open',
    });
    assert.equal(why?.act, null);
    assert.deepEqual(way?.act, { kind: 'command', command: 'open' });
    assert.notDeepEqual(next?.act, { kind: 'next' });
  });

  it('removes exactly the attachment of a row', () => {
    const rows = whatRows('', [FILE, OUTPUT, BRIEF], NOTHING, null);
    assert.deepEqual(
      rows.flatMap(({ act }) => (act?.kind === 'remove' ? [act.attachment] : [])),
      [FILE, OUTPUT, BRIEF],
    );
  });

  it('shows nothing foreign as an icon', () => {
    const evil = '$(error) x';
    const rows = whatRows(
      '',
      [
        { ...FILE, path: evil },
        { ...OUTPUT, text: evil },
        { ...BRIEF, text: evil },
      ],
      { ...AROUND, file: evil, lastBrief: evil },
      { text: evil, label: 'Go', command: 'go' },
    );
    for (const { label, description = '' } of rows)
      assert.doesNotMatch(`${label}${description}`, /\$\(/);
  });
});

describe('saysSomething', () => {
  const cases: [string, readonly Attachment[], boolean][] = [
    ['', [], false],
    [' \n', [], false],
    ['x', [], true],
    ['', [FILE], false],
    ['', [OUTPUT], true],
    ['', [BRIEF], true],
    ['', [{ kind: 'brief', text: ' ' }], false],
  ];
  for (const [text, attachments, expected] of cases)
    it(`${JSON.stringify(text)} with ${attachments[0]?.kind ?? 'nothing'}: ${expected}`, () =>
      assert.equal(saysSomething(text, attachments), expected));
});
