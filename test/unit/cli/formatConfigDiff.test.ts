import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, describe, it } from 'mocha';
import { formatConfigDiff } from '../../../src/cli/formatConfigDiff.ts';
import {
  type TextReplacement,
  withReplacements,
} from '../../../src/config/edit/textReplacement.ts';

const plain = { file: 'f', isNew: false, redact: (line: string) => line };

describe('formatConfigDiff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-diff-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is a diff as diff(1) writes it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    const replacements = [
      { start: 2, end: 3, newText: 'B' },
      { start: 16, end: 16, newText: 'i\n' },
    ];
    assert.equal(
      formatConfigDiff(before, withReplacements(before, replacements), replacements, plain),
      '--- f\n+++ f\n@@ -1,8 +1,9 @@\n a\n-b\n+B\n c\n d\n e\n f\n g\n h\n+i',
    );
    assert.equal(
      formatConfigDiff('', 'x\n', [{ start: 0, end: 0, newText: 'x\n' }], {
        ...plain,
        isNew: true,
      }),
      '--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+x',
    );
    assert.equal(formatConfigDiff('a\n', 'a\n', [], plain), '');
    assert.equal(formatConfigDiff('a\n', 'a\n', [{ start: 0, end: 1, newText: 'a' }], plain), '');
  });

  it('hides what it is told to, also in lines that stay, and takes no escape sequence along', () => {
    const before = 'key: sk-hushed\nb: 1\n';
    const replacements = [
      { start: before.length, end: before.length, newText: 'c: "\u001b[31mred"\n' },
    ];
    const text = formatConfigDiff(before, withReplacements(before, replacements), replacements, {
      ...plain,
      redact: (line) => line.replace('sk-hushed', '[secret x]'),
    });
    assert.ok(
      text.includes(' key: [secret x]') && !text.includes('hushed') && !text.includes('\u001b'),
    );
  });

  it('is taken by git apply, whatever was replaced', function () {
    this.timeout(60_000);
    const line = fc.stringMatching(/^ {0,3}[a-z]{0,4}$/);
    const text = fc
      .array(line, { maxLength: 20 })
      .map((lines) => lines.map((each) => `${each}\n`).join(''));
    const cut = fc.array(fc.tuple(fc.nat(), fc.nat(6), text), { maxLength: 4 });
    const file = join(folder, 'f');
    const patch = join(folder, 'patch');
    fc.assert(
      fc.property(text, cut, (before, cuts) => {
        const replacements: TextReplacement[] = [];
        for (const [at, length, newText] of cuts
          .map(([at, ...rest]) => [at % (before.length + 1), ...rest] as const)
          .sort(([a], [b]) => a - b)) {
          const start = Math.max(at, replacements.at(-1)?.end ?? 0);
          replacements.push({ start, end: Math.min(before.length, start + length), newText });
        }
        const changed = withReplacements(before, replacements);
        // A diff marks a last line without an end of its own, which no text that we write has.
        fc.pre(changed === '' || changed.endsWith('\n'));
        const diff = formatConfigDiff(before, changed, replacements, plain);
        writeFileSync(file, before);
        writeFileSync(patch, diff === '' ? '' : `${diff}\n`);
        if (diff === '') assert.equal(changed, before);
        else
          execFileSync('git', ['apply', '-p0', '--whitespace=nowarn', patch], {
            cwd: folder,
            stdio: 'pipe',
          });
        assert.equal(changed === '' ? '' : readFileSync(file, 'utf8'), changed);
      }),
      { numRuns: 150 },
    );
  });
});
