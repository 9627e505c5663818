import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseModelsText } from '../../../src/config/parse.ts';
import { formatProblem } from '../../../src/config/problem.ts';

const said = (text: string) => parseModelsText(text, 'models.yaml').problems.map(formatProblem);

describe('parseModelsText', () => {
  const table: [name: string, text: string, problems: string[]][] = [
    ['empty file', '', []],
    ['only comments', '# nothing yet\n', []],
    ['empty section', 'endpoints:\ndefaults:\n', []],
    [
      'unknown key',
      'endpoint:\n  a: 1\n',
      ['models.yaml:1:1: unknown key "endpoint" - did you mean "endpoints"?'],
    ],
    [
      'unknown key of an endpoint',
      'endpoints:\n  a:\n    base_ur: http://h\n',
      ['models.yaml:3:5: unknown key "base_ur" in "endpoints.a" - did you mean "base_url"?'],
    ],
    ['unknown key like no other', 'zzzzzzzz: 1\n', ['models.yaml:1:1: unknown key "zzzzzzzz"']],
    [
      'key in the wrong place',
      'defaults:\nendpoints:\n  max_turns: 3\n',
      ['models.yaml:3:14: "endpoints.max_turns" must be a group of keys, not 3'],
    ],
    [
      'duplicate key',
      'defaults:\n  max_turns: 1\nendpoints:\ndefaults:\n  max_turns: 2\n',
      ['models.yaml:4:1: "defaults" is on line 1 and again on line 4; keep one of them'],
    ],
    [
      'tab',
      'defaults:\n\tmax_turns: 1\n',
      ['models.yaml:2:1: tabs cannot be used for indentation; use spaces'],
    ],
    [
      'a list as file',
      '- a\n',
      ['models.yaml:1:1: the file must be a group of keys such as "endpoints:"'],
    ],
    [
      'wrong type',
      'defaults:\n  max_turns: many\n',
      ['models.yaml:2:14: "defaults.max_turns" must be a number, not the text "many"'],
    ],
    [
      'fraction',
      'defaults:\n  max_turns: 1.5\n',
      ['models.yaml:2:14: "defaults.max_turns" must be a whole number, not 1.5'],
    ],
    [
      'yes for true',
      'defaults:\n  dump_requests: yes\n',
      ['models.yaml:2:18: "defaults.dump_requests" must be true or false, not the text "yes"'],
    ],
    [
      'zero',
      'defaults:\n  timeout_s: 0\n',
      ['models.yaml:2:14: "defaults.timeout_s" is 0; it must be more than 0'],
    ],
    [
      'wrong word',
      'defaults:\n  policy: local_only\n',
      [
        'models.yaml:2:11: "defaults.policy" is the text "local_only"; it must be "local-only", "prefer-local" or "any" - did you mean "local-only"?',
      ],
    ],
    [
      'two kinds of value',
      'endpoints: { a: { base_url: http://h, max_concurrent: lots } }\n',
      [
        'models.yaml:1:55: "endpoints.a.max_concurrent" is the text "lots"; it must be "auto" or a number',
      ],
    ],
    [
      'no address',
      'endpoints: { a: { base_url: localhost:8080 } }\n',
      ['models.yaml:1:29: "endpoints.a.base_url" must be an address such as http://127.0.0.1:8080'],
    ],
    [
      'name of digits, which would lose its place in the order',
      'endpoints: { 12: { base_url: http://h } }\n',
      [
        'models.yaml:1:14: the name "12" cannot be used: use letters, digits, ".", "_" and "-", not digits alone',
      ],
    ],
    [
      'old list of models',
      'models: [{ name: a }]\n',
      [
        'models.yaml:1:1: "models" as a list is not used any more: models are found by probing; the list can be removed',
      ],
    ],
    [
      'old spelling of a backend',
      'endpoints: { a: { base_url: http://h, backend: llamacpp } }\n',
      ['models.yaml:1:48: "llamacpp" is an old spelling - did you mean "llama.cpp"?'],
    ],
    [
      'header that would split',
      'endpoints: { a: { base_url: http://h, headers: { X-A: "a\\nb" } } }\n',
      ['models.yaml:1:55: "endpoints.a.headers.X-A" must be one line without control characters'],
    ],
    [
      'alias to nothing',
      'defaults: *none\n',
      [
        'models.yaml: the file cannot be read: an alias (*name) has no anchor (&name) before it, or the aliases expand too far',
      ],
    ],
    [
      'two documents',
      'defaults:\n---\ndefaults:\n',
      ['models.yaml:2:1: the file holds more than one document ("---"); only one is allowed'],
    ],
  ];
  for (const [name, text, problems] of table) {
    it(name, () => assert.deepEqual(said(text), problems));
    it(`${name}, with CRLF and BOM: same lines`, () => {
      const crlf = said(`\ufeff${text.replaceAll('\n', '\r\n')}`);
      const place = (line: string) => /^models\.yaml(:\d+)?/.exec(line)?.[0];
      assert.deepEqual(crlf.map(place), problems.map(place));
    });
  }

  it('takes the file that shows every key', () => {
    const text = readFileSync(
      path.join(import.meta.dirname, '../../fixtures/config/every-key.yaml'),
      'utf8',
    );
    const parsed = parseModelsText(text, 'models.yaml');
    assert.deepEqual(parsed.problems.map(formatProblem), []);
    assert.equal(parsed.value?.models?.['glm-*']?.answers_as?.[0], 'glm-5.2');
  });

  it('keeps what is fine beside what is broken', () => {
    const { value, parts, broken } = parseModelsText(
      'defaults: { max_turns: x, timeout_s: 5 }\nendpoints:\n  bad: { base_url: 1 }\n  good: { base_url: http://h }\nzzz: 1\n',
      'f',
    );
    assert.equal(value, null);
    assert.deepEqual(parts, {
      defaults: { timeout_s: 5 },
      endpoints: { good: { base_url: 'http://h' } },
    });
    assert.deepEqual(
      new Set(broken.map(String)),
      new Set(['zzz', 'defaults,max_turns', 'endpoints,bad']),
    );
  });

  it('understands anchors and merge keys', () => {
    const { value } = parseModelsText(
      'endpoints:\n  a: &a { base_url: http://a, notes: n }\n  b: { <<: *a, base_url: http://b }\n',
      'f',
    );
    assert.deepEqual(value?.endpoints?.['b'], { base_url: 'http://b', notes: 'n' });
  });

  it('never lets a name reach a prototype', () => {
    const { parts } = parseModelsText(
      '__proto__: { polluted: 1 }\nendpoints: { __proto__: { base_url: http://h } }\n',
      'f',
    );
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.deepEqual(Object.keys(parts.endpoints ?? {}), []);
  });

  it('repeats no long text, which may be a key in the wrong place', () => {
    const secret = 'sk-verysecretverysecretverysecret';
    const text = `defaults: { policy: ${secret}, max_turns: ${secret}, model: [${secret}] }\nsecrets: ${secret}\n`;
    assert.equal(said(text).length, 4);
    assert.doesNotMatch(said(text).join(), /verysecret/);
  });

  describe('hostile files', function () {
    this.timeout(60_000);
    const lots = (text: string) => {
      const line = text.includes('\n')
        ? text
        : `${text.repeat(Math.floor(16_000 / text.length))}\n`;
      return line.repeat(Math.floor((64 * 1024) / line.length));
    };
    const texts: Record<string, string> = {
      brackets: lots('['),
      braces: lots('{a: '),
      dashes: lots('- '),
      quotes: lots('"'),
      questions: lots('? '),
      anchors: lots('&a '),
      tags: lots('!'),
      colons: lots('a: b: '),
      blocks: lots('|\n'),
      'same key': lots('a:\n '),
      'many keys': Array.from({ length: 6000 }, (_, index) => `k${index}: 1`).join('\n'),
      'deep block': Array.from({ length: 330 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
      'alias bomb': [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...[...'bcdefghi'].map(
          (key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`,
        ),
      ].join('\n'),
      'alias to itself': 'defaults: &a { b: *a }',
      'long line': `a: ${'b'.repeat(20_000)}`,
      large: 'a\n'.repeat(5_000_000),
    };
    for (const [name, text] of Object.entries(texts)) {
      it(name, () => {
        // The time of the processor, not of the clock: other work on the machine does not count.
        const started = process.cpuUsage();
        const { value, problems } = parseModelsText(text, 'f');
        assert.equal(value, null);
        assert.ok(problems.length > 0 && problems.length <= 200, `${problems.length} problems`);
        assert.ok(process.cpuUsage(started).user < 5_000_000, 'takes too long');
      });
    }
  });

  it('never throws, and every problem has a place inside the text', () => {
    const word = fc.constantFrom(
      'endpoints',
      'defaults',
      'a',
      'base_url',
      'policy',
      'http://h',
      ':',
      ' ',
      '\n',
      '\n  ',
      '\t',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x',
      '*x',
      '<<',
      '"',
      "'",
      '|',
      '#',
      '!',
      '? ',
      '---',
      'null',
      '1',
      '\r\n',
      '\ufeff',
      '\u0000',
      '__proto__',
      'constructor',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        const lines = input.split('\n').length + 1;
        for (const problem of parseModelsText(input, 'f').problems) {
          assert.ok(problem.line >= 0 && problem.line <= lines, JSON.stringify(problem));
          assert.ok(problem.endLine >= problem.line && problem.message !== '');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws for any data', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'endpoints',
            'defaults',
            'pools',
            'models',
            'failover',
            'gates',
            'runners',
            'x',
          ),
          fc.jsonValue(),
        ),
        (data) => {
          const { value, problems } = parseModelsText(JSON.stringify(data), 'f');
          assert.equal(
            value === null,
            problems.some((problem) => problem.severity === 'error'),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
