import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, it } from 'mocha';
import { parseDocument } from 'yaml';
import { checkConfig } from '../../../src/config/check.ts';
import { editModelsText } from '../../../src/config/edit/editModelsText.ts';
import { parseModelsText } from '../../../src/config/parse.ts';
import { readYamlText } from '../../../src/config/yamlText.ts';

/** Five thousand lines: endpoints, pools and chains, with comments, as no person writes them but some tool may. */
function largeFile(): string {
  const lines = ['# made by a tool', 'endpoints:'];
  for (let index = 0; index < 800; index++) {
    lines.push(
      `  e${index}: # number ${index}`,
      `    base_url: http://host-${index}.example.internal:8080`,
      `    notes: "a note about this endpoint, ${index}"`,
      '    max_concurrent: 4',
    );
  }
  lines.push('pools:');
  for (let index = 0; index < 400; index++) lines.push(`  p${index}-: { slots: 6 }`);
  lines.push('failover:', '  chains:');
  for (let index = 0; index < 400; index++) {
    lines.push(
      `    p${index}-a:`,
      `      - p${(index + 1) % 400}-b # next`,
      `      - p${(index + 2) % 400}-b`,
    );
  }
  lines.push('models:');
  while (lines.length < 5_000) lines.push(`  m${lines.length}: { format: openai }`);
  return `${lines.join('\n')}\n`;
}

/** The shortest of three: what else the machine does only ever adds. */
function fastestMs(work: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

describe('a models.yaml of 5 000 lines', () => {
  const text = largeFile();

  it('is read, checked and edited', function () {
    this.timeout(60_000);
    const parsed = parseModelsText(text, 'models.yaml');
    assert.deepEqual(parsed.problems, []);
    assert.equal(Object.keys(parsed.value?.endpoints ?? {}).length, 800);
    assert.deepEqual(checkConfig(parsed.value ?? {}), []);

    const result = editModelsText(text, [
      { kind: 'set', path: ['endpoints', 'e400', 'max_concurrent'], value: 5 },
      { kind: 'set', path: ['endpoints', 'new'], value: { base_url: 'http://new' } },
      { kind: 'remove', path: ['failover', 'chains', 'p7-a', 0] },
    ]);
    assert.ok(result.isOk, JSON.stringify(result));
    assert.deepEqual(
      result.replacements.map(({ start, end, newText }) => [text.slice(start, end), newText]),
      [
        ['4', '5'],
        ['', '  new:\n    base_url: http://new\n'],
        ['      - p8-b # next\n', ''],
      ],
    );
  });

  it('costs little more than the parser, and what is wrong in it not much more', function () {
    this.timeout(60_000);
    const bare = fastestMs(() => parseDocument(text, { uniqueKeys: false }).toJS());
    const whole = fastestMs(() => {
      const { value } = parseModelsText(text, 'models.yaml');
      checkConfig(value ?? {});
    });
    // Every endpoint, pool and fact is wrong: what costs the square of their number shows here.
    const wrong = text.replaceAll('notes:', 'notez:').replaceAll('slots: 6', 'slots: no');
    const broken = fastestMs(() => parseModelsText(wrong, 'models.yaml'));
    assert.ok(whole < bare * 6, `${whole} ms, the parser ${bare} ms`);
    assert.ok(broken < bare * 8, `${broken} ms, the parser ${bare} ms`);
  });
});

describe('a hostile models.yaml', () => {
  const table: [what: string, text: string, message: RegExp][] = [
    ['too long', `# ${'x'.repeat(15_000)}\n`.repeat(18), /more than 256 thousand characters/],
    ['with too many lines', '\n'.repeat(20_001), /more than 20 thousand lines/],
    ['with a long line', `a: ${'x'.repeat(17_000)}`, /a line has more than/],
    ['of brackets', `a: ${'}'.repeat(10_000)}\n`.repeat(6), /more than 50 thousand brackets/],
    ['of nested brackets', 'a: '.concat('['.repeat(60)), /nested more than 50 deep/],
    ['of aliases', `z: &z 1\na:\n${'  - *z\n'.repeat(1_001)}`, /more than 1000 aliases/],
    ['with groups as keys', `${'? '.repeat(40)}\n`.repeat(100), /cannot be a key/],
    [
      'of aliases that grow',
      `a: &a [1, 1, 1]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [*${'abcdefg'[index]}, *${'abcdefg'[index]}, *${'abcdefg'[index]}]\n`).join('')}`,
      /aliases expand too far/,
    ],
  ];
  for (const [what, text, message] of table) {
    it(`${what} is refused with words`, () => {
      const { data, findings } = readYamlText(text);
      assert.equal(data, undefined);
      assert.match(findings.map((finding) => finding.message).join('\n'), message);
      assert.ok(findings.length <= 60);
    });
  }

  it('may use "*" in its texts as often as it likes to', () => {
    const globs = `review:\n  required_for:\n${'    - "src/**/*.sql"\n'.repeat(2_000)}`;
    assert.deepEqual(readYamlText(globs).findings, []);
  });
});
