import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { type Attachment, withAttachment } from '../../../../src/host/delegate/attachment.ts';
import { composeBrief, instructionFor } from '../../../../src/host/delegate/composeBrief.ts';

const selection = (part: Partial<Extract<Attachment, { kind: 'selection' }>> = {}): Attachment => ({
  kind: 'selection',
  path: 'src/range.ts',
  language: 'typescript',
  startLine: 3,
  endLine: 4,
  text: 'for (;;) {\n}',
  isCut: false,
  isUnsaved: false,
  ...part,
});
const problem = (part: Partial<Extract<Attachment, { kind: 'problem' }>> = {}): Attachment => ({
  kind: 'problem',
  path: 'src/range.ts',
  language: 'typescript',
  startLine: 1,
  endLine: 7,
  text: 'let a: number = "x";',
  isCut: false,
  line: 4,
  column: 5,
  severity: 'error',
  source: 'ts 2322',
  message: "Type 'string' is not assignable to type 'number'.",
  ...part,
});
const file = (part: Partial<Extract<Attachment, { kind: 'file' }>> = {}): Attachment => ({
  kind: 'file',
  path: 'src/range.ts',
  language: '',
  text: null,
  isCut: false,
  ...part,
});

describe('composeBrief', () => {
  const cases: [string, string, readonly Attachment[], string][] = [
    ['only what was typed', '  Fix it. \n', [], 'Fix it.'],
    ['nothing at all', ' ', [], ''],
    [
      'a selection as file and lines with its language',
      'Fix it.',
      [selection()],
      'Fix it.\n\n`src/range.ts:3-4`:\n\n```typescript\nfor (;;) {\n}\n```',
    ],
    [
      'one line as one number',
      'Fix it.',
      [selection({ endLine: 3, text: 'x' })],
      'Fix it.\n\n`src/range.ts:3`:\n\n```typescript\nx\n```',
    ],
    [
      'that a selection is not in the copy, and was cut',
      'Fix it.',
      [selection({ isUnsaved: true, isCut: true })],
      'Fix it.\n\n`src/range.ts:3-4`, with changes that are not saved and not in your copy:\n\n```typescript\nfor (;;) {\n}\n```\n\n(cut here; the text goes on)',
    ],
    [
      'files by name alone, in one list',
      'Fix them.',
      [file(), file({ path: 'test/a b.ts' })],
      'Fix them.\n\nFiles this is about:\n\n- `src/range.ts`\n- `test/a b.ts`',
    ],
    [
      'the text of a file that the copy has not',
      'Look.',
      [file({ path: 'private/x.json', language: 'json', text: '{}' })],
      'Look.\n\n`private/x.json`, which is not in your copy:\n\n```json\n{}\n```',
    ],
    [
      'a problem, with its message as the task when nothing was typed',
      '',
      [problem()],
      "Fix this problem: Type 'string' is not assignable to type 'number'. (src/range.ts:4)\n\nerror from ts 2322 at `src/range.ts:4:5`:\n\n```\nType 'string' is not assignable to type 'number'.\n```\n\nThe lines around it, from line 1:\n\n```typescript\nlet a: number = \"x\";\n```",
    ],
    [
      'a brief from elsewhere with its line ends, after what was typed',
      'Do this first.',
      [{ kind: 'brief', text: '# Port it\n\n1. Read\n' }],
      'Do this first.\n\n# Port it\n\n1. Read',
    ],
    [
      'an output, with a task of its own',
      '',
      [{ kind: 'output', text: '1 failing\n', isCut: true }],
      'Find out why this fails, and fix it.\n\nOutput (its beginning is cut):\n\n```text\n1 failing\n```',
    ],
    [
      'a text without CRLF and NUL',
      'Fix.',
      [selection({ text: 'a\r\nb\u0000\rc' })],
      'Fix.\n\n`src/range.ts:3-4`:\n\n```typescript\na\nb\ufffd\nc\n```',
    ],
  ];
  for (const [what, text, attachments, expected] of cases) {
    it(`has ${what}`, () => assert.equal(composeBrief(text, attachments), expected));
  }

  it('names several problems as one task', () => {
    const other = problem({ line: 9, path: 'src/other.ts' });
    assert.equal(
      instructionFor([problem(), other]),
      'Fix these 2 problems in src/range.ts, src/other.ts.',
    );
  });

  const names: [string, string][] = [
    ['`', '"a`b.ts:3-4"'],
    ['a line end', '"a\\nb.ts:3-4"'],
    ['a paragraph separator', '"a\\u2029b.ts:3-4"'],
  ];
  const bad = ['a`b.ts', 'a\nb.ts', 'a\u2029b.ts'];
  for (const [index, [what, expected]] of names.entries()) {
    it(`quotes a file name with ${what}`, () => {
      const brief = composeBrief('Fix.', [selection({ path: bad[index] ?? '' })]);
      const named = brief.split('\n\n')[1];
      // JSON leaves the separators as they are; they end no line for a model that reads \n.
      assert.equal(named?.replaceAll('\u2029', '\\u2029'), `${expected}:`);
    });
  }

  it('never lets a text close its fence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('`', '```', '````', '\n', 'x', '~~~', '\r\n'), { maxLength: 40 }),
        (parts) => {
          const brief = composeBrief('Fix.', [selection({ text: parts.join('') })]);
          const lines = brief.split('\n').slice(4);
          const fence = /^`+/.exec(lines[0] ?? '')?.[0] ?? '';
          assert.ok(fence.length >= 3);
          assert.equal(lines.at(-1), fence);
          const inner = lines.slice(1, -1).join('\n');
          assert.ok(!inner.includes(fence), brief);
        },
      ),
    );
  });

  it('takes only a plain word as the language of a fence', () => {
    for (const language of ['type script', '```', 'a\nb', 'x'.repeat(50), 'plaintext'])
      assert.match(composeBrief('x', [selection({ language })]), /\n```\nfor/);
    assert.match(composeBrief('x', [selection({ language: 'c++' })]), /\n```c\+\+\nfor/);
  });
});

describe('withAttachment', () => {
  it('replaces the same place and keeps every other', () => {
    const first = selection({ text: 'old' });
    const all = [first, file(), problem()];
    assert.deepEqual(withAttachment(all, selection({ text: 'new' })), [
      file(),
      problem(),
      selection({ text: 'new' }),
    ]);
    assert.equal(withAttachment(all, selection({ startLine: 1 })).length, 4);
    assert.equal(withAttachment(all, problem({ column: 9 })).length, 4);
    assert.equal(
      withAttachment([{ kind: 'brief', text: 'a' }], { kind: 'brief', text: 'b' }).length,
      1,
    );
  });
});
