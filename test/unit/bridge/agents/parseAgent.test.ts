import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { stringify } from 'yaml';
import { parseAgent } from '../../../../src/bridge/agents/parseAgent.ts';

interface Expected {
  readonly description?: string | null;
  readonly model?: string | null;
  readonly tools?: readonly string[] | null;
  readonly disallowedTools?: readonly string[];
  readonly skills?: readonly string[];
  readonly body?: string;
  /** `code:line` of each problem. */
  readonly problems?: readonly string[];
}

const CASES: readonly [name: string, text: string, expected: Expected][] = [
  [
    'plain',
    '---\ndescription: A\nmodel: m\n---\nBody\n',
    { description: 'A', model: 'm', body: 'Body' },
  ],
  ['none at all', 'Just a prompt.\n', { description: null, tools: null, body: 'Just a prompt.' }],
  ['empty file', '', { description: null, body: '' }],
  ['empty front matter', '---\n---\nBody', { description: null, body: 'Body' }],
  ['comments only', '---\n# nothing\n---\nBody', { description: null, body: 'Body' }],
  ['BOM', '\ufeff---\ndescription: A\n---\nBody', { description: 'A', body: 'Body' }],
  [
    'CRLF',
    '---\r\ndescription: A\r\n---\r\nBody\r\nmore\r\n',
    { description: 'A', body: 'Body\nmore' },
  ],
  ['quotes', '---\ndescription: "A: b"\nmodel: \'m\'\n---\n', { description: 'A: b', model: 'm' }],
  [
    'folded',
    '---\ndescription: >\n  one\n  two\nmodel: m\n---\n',
    { description: 'one two', model: 'm' },
  ],
  ['literal', '---\ndescription: |\n  one\n  two\n---\n', { description: 'one\ntwo' }],
  [
    '--- in a value',
    '---\ndescription: a --- b\n---\nBody',
    { description: 'a --- b', body: 'Body' },
  ],
  [
    '--- in a block',
    '---\ndescription: |\n  a\n  ---\n  b\n---\nBody',
    { description: 'a\n---\nb', body: 'Body' },
  ],
  ['--- in the body', '---\nmodel: m\n---\nA\n---\nB', { model: 'm', body: 'A\n---\nB' }],
  ['---- is no fence', '----\nA\n---\n', { model: null, body: '----\nA\n---' }],
  ['space after the fence', '--- \nmodel: m\n---\t\nA', { model: 'm', body: 'A' }],
  [
    'unterminated',
    '---\nmodel: m\nBody',
    { model: null, body: '---\nmodel: m\nBody', problems: ['front_matter_open:1'] },
  ],
  ['tools as text', '---\ntools: Read, Grep\n---\n', { tools: ['Read', 'Grep'] }],
  [
    'tools with brackets',
    '---\ntools: Read, Bash(git diff, git log) Grep\n---\n',
    { tools: ['Read', 'Bash(git diff, git log)', 'Grep'] },
  ],
  ['tools as flow list', '---\ntools: [Read, "Grep"]\n---\n', { tools: ['Read', 'Grep'] }],
  ['tools as block list', '---\ntools:\n  - Read\n  - Grep\n---\n', { tools: ['Read', 'Grep'] }],
  ['all tools', '---\ntools: "*"\n---\n', { tools: null }],
  [
    'all tools, unquoted',
    '---\ntools: *\n---\n',
    { tools: null, problems: ['front_matter_quotes:2'] },
  ],
  ['tools without a value', '---\ntools:\n---\n', { tools: [] }],
  [
    'tools as a map',
    '---\nmodel: m\ntools: { write: false }\n---\n',
    { tools: null, problems: ['wrong_type:3'] },
  ],
  ['tools with a number', '---\ntools: [1]\n---\n', { tools: null, problems: ['wrong_type:2'] }],
  [
    'disallowedTools',
    '---\ndisallowedTools: Bash\n---\n',
    { tools: null, disallowedTools: ['Bash'] },
  ],
  ['skills', '---\nskills: [a, b]\n---\n', { skills: ['a', 'b'] }],
  ['a number for a text', '---\nmodel: 4\n---\n', { model: '4' }],
  [
    'a list for a text',
    '---\ndescription: [a]\n---\n',
    { description: null, problems: ['wrong_type:2'] },
  ],
  [
    'a colon without quotes',
    '---\nmodel: m\ndescription: Use it: now\n---\nB',
    { model: 'm', description: 'Use it: now', body: 'B', problems: ['front_matter_quotes:3'] },
  ],
  [
    'no YAML',
    '---\nmodel: m\ntools: [Read\n---\nB',
    { model: null, tools: null, body: 'B', problems: ['front_matter_yaml:3'] },
  ],
  [
    'a key twice',
    '---\ntools: Read\ntools: Bash\n---\nB',
    { tools: null, problems: ['front_matter_yaml:3'] },
  ],
  ['a list for a map', '---\n- a\n---\nB', { problems: ['front_matter_yaml:2'], body: 'B' }],
];

describe('parseAgent', () => {
  for (const [name, text, expected] of CASES) {
    it(name, () => {
      const parsed = parseAgent(text);
      const actual = {
        ...parsed,
        problems: parsed.problems.map(({ code, range }) => `${code}:${range.line}`),
      };
      for (const [key, value] of Object.entries({ problems: [], ...expected }))
        assert.deepEqual(actual[key as keyof Expected], value, key);
    });
  }

  it('says where each value stands', () => {
    const { keys } = parseAgent('---\nmodel: m\ntools:\n  - Read\n  - Grep\n---\n');
    assert.deepEqual(keys.get('model'), { line: 2, column: 8, endLine: 2, endColumn: 9 });
    assert.equal(keys.get('tools')?.line, 4);
  });

  const line = fc
    .string({ unit: 'grapheme', maxLength: 30 })
    .map((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''));

  it('gives back what a YAML writer wrote, whatever the values are', () => {
    fc.assert(
      fc.property(
        line,
        line,
        fc.array(fc.stringMatching(/^[A-Za-z][\w:-]{0,10}$/)),
        fc.array(line).map((lines) => lines.join('\n')),
        fc.boolean(),
        fc.boolean(),
        (description, model, tools, body, hasBom, isCrlf) => {
          const front = stringify({ description, model, tools });
          const text = `${hasBom ? '\ufeff' : ''}---\n${front}---\n${body}`;
          const parsed = parseAgent(isCrlf ? text.replaceAll('\n', '\r\n') : text);
          assert.deepEqual(parsed.problems, []);
          assert.equal(parsed.description, description.trim());
          assert.equal(parsed.model, model.trim());
          assert.deepEqual(parsed.tools, tools);
          assert.equal(parsed.body, body.trim());
        },
      ),
    );
  });

  it('never throws, and never takes a restriction that it cannot read for none', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '---',
        '---\n',
        '\n',
        '\r\n',
        '\ufeff',
        'tools:',
        ' Read',
        '[',
        '*x',
        '&x',
        '"',
        ': ',
        '- ',
        '\t',
        '{',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const parsed = parseAgent(text);
        const front =
          /^\ufeff?---[ \t]*(?:\r\n|\r|\n)([^]*?)(?:^|[\r\n])---[ \t]*(?:[\r\n]|$)/.exec(text);
        if (front === null || !/^tools:/m.test(front[1] ?? '')) return;
        const isUnsafe = parsed.problems.some((problem) => problem.severity === 'error');
        assert.ok(
          isUnsafe || parsed.tools !== null || front[1]?.includes('*') === true,
          JSON.stringify(text),
        );
      }),
      { numRuns: 500 },
    );
  });
});
