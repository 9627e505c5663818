import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { CompletionItem } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import {
  completionsAt,
  wantsModels,
} from '../../../src/languageServer/completion/completionsAt.ts';
import { keysOf } from '../../../src/config/schemaWalk.ts';
import { marked, modelsWorlds, upFacts } from './support/modelsWorld.ts';

const CONFIG = `endpoints:
  tower: { base_url: "http://127.0.0.1:8080", exclusive_group: gpu0 }
  cloud: { base_url: "http://127.0.0.1:8081" }
models:
  written-model: { billing: flat }
`;
const LIVE = upFacts(
  {
    tower: { url: 'http://127.0.0.1:8080', models: { 'qwen3:8b': 131_072, '1.5': null }, slots: 4 },
    cloud: { url: 'http://127.0.0.1:9999', models: { 'of-another-address': 1000 } },
  },
  { secrets: ['tower-key'] },
);

describe('completionsAt', () => {
  const world = modelsWorlds();

  /** The items at the `|`; what is served, and another layer's text, are as above. */
  function at(
    source: string,
    env: Record<string, string> = {},
  ): { items: CompletionItem[]; text: string } {
    const { text, offset } = marked(source);
    const doc = world().read(CONFIG);
    const document = TextDocument.create('file:///models.yaml', 'yaml', 1, text);
    return { text, items: completionsAt({ document, doc, live: LIVE, env }, offset) };
  }

  const labels = (source: string, env: Record<string, string> = {}): string[] =>
    [...at(source, env).items]
      .sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
      .map(({ label }) => label);

  /** The text after choosing an item, with snippet places empty or filled with their first words. */
  function chosen(source: string, label: string): string {
    const { items, text } = at(source);
    const item = items.find((each) => each.label === label);
    if (item?.textEdit === undefined || !('range' in item.textEdit)) {
      throw new Error(`no "${label}" among ${items.map((each) => each.label).join(', ')}`);
    }
    const document = TextDocument.create('file:///a', 'yaml', 1, text);
    const start = document.offsetAt(item.textEdit.range.start);
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const indentation = /^ */.exec(text.slice(lineStart))?.[0] ?? '';
    let { newText } = item.textEdit;
    // As an editor does it.
    if (item.insertTextFormat === 2) {
      newText = newText.replace(/\$\{\d:([^}]*)\}|\$\d/g, '$1').replace(/\\([$}\\])/g, '$1');
    }
    return TextDocument.applyEdits(document, [
      { range: item.textEdit.range, newText: newText.replaceAll('\n', `\n${indentation}`) },
    ]);
  }

  const keys: [title: string, text: string, has: string[], hasNot: string[]][] = [
    ['sections in an empty document', '|', keysOf([]), ['base_url']],
    ['sections that are missing', 'endpoints: {}\n|', ['pools', 'failover'], ['endpoints']],
    [
      'keys of an endpoint',
      'endpoints:\n  a:\n    base_url: x\n    |',
      ['backend', 'api_key'],
      ['base_url', 'pools'],
    ],
    [
      'keys while typing one',
      'endpoints:\n  a:\n    ba|\n    format: auto',
      ['backend', 'base_url'],
      ['format'],
    ],
    [
      'keys although the text is broken elsewhere',
      'pools: [\nendpoints:\n  a:\n    |',
      ['backend'],
      [],
    ],
    ['keys in flow style', 'endpoints:\n  a: { base_url: x, | }', ['backend'], ['base_url']],
    ['keys of a group of an entry', 'endpoints:\n  a:\n    tls:\n      |', ['ca', 'insecure'], []],
    ['a name of another layer', 'endpoints:\n  |', ['tower', 'cloud', 'new endpoint'], []],
    [
      'models that are served as names of chains',
      'failover:\n  chains:\n    |',
      ['qwen3:8b', 'written-model'],
      ['of-another-address'],
    ],
    ['models that are served as facts', 'models:\n  |', ['qwen3:8b'], ['of-another-address']],
    ['beginnings of names as pools', 'pools:\n  |', ['default', 'qwen', 'new pool'], ['tower']],
    [
      'keys when another key has its colon',
      'endpoints:\n  a:\n    ba|: x',
      ['backend', 'base_url'],
      [],
    ],
  ];
  for (const [title, text, has, hasNot] of keys) {
    it(`offers ${title}`, () => {
      const found = labels(text);
      for (const each of has) assert.ok(found.includes(each), `${each} not in ${found.join(', ')}`);
      for (const each of hasNot) assert.ok(!found.includes(each), `${each} in ${found.join(', ')}`);
    });
  }

  const values: [title: string, text: string, first: string[]][] = [
    ['words of a choice', 'defaults:\n  policy: |', ['local-only', 'prefer-local', 'any']],
    ['true and false', 'defaults:\n  dump_requests: |', ['true', 'false']],
    [
      '"auto" and the slots of the server',
      'endpoints:\n  tower:\n    max_concurrent: |',
      ['auto', '4'],
    ],
    ['models: served ones first', 'defaults:\n  model: |', ['qwen3:8b', '1.5', 'written-model']],
    ['models in quotes', 'defaults:\n  model: "q|"', ['qwen3:8b', '1.5', 'written-model']],
    [
      'members of a chain, without the origin',
      'failover:\n  chains:\n    written-model: [|]',
      ['qwen3:8b', '1.5'],
    ],
    [
      'members that are not in the chain yet',
      'failover:\n  chains:\n    x:\n      - qwen3:8b\n      - |',
      ['1.5', 'written-model'],
    ],
    [
      'members in a list on lines of its own',
      'failover:\n  chains:\n    written-model:\n      |',
      ['qwen3:8b', '1.5'],
    ],
    ['names of endpoints', 'fleet:\n  planner:\n    endpoint: |', ['tower', 'cloud', 'llamacpp']],
    ['groups of other endpoints', 'endpoints:\n  b:\n    exclusive_group: |', ['gpu0']],
    ['words of a list', 'failover:\n  when: [pool_full, |]', ['error']],
    [
      'tools that are the default',
      'defaults:\n  allowed_tools: [Read, Edit, |]',
      ['Write', 'Glob', 'Grep', 'Bash', 'WebFetch'],
    ],
    ['the window that the server says', 'models:\n  qwen3:8b:\n    context_window: |', ['131072']],
  ];
  for (const [title, text, first] of values) {
    it(`offers ${title}`, () => {
      assert.deepEqual(labels(text).slice(0, first.length), first);
    });
  }

  for (const [title, text] of [
    ['a comment', 'defaults:\n  policy: any # |'],
    [
      'a long text',
      'defaults:\n  system_prompt_append: |x\n    some\n'
        .replace('|x', '>')
        .replace('some', 'so|me'),
    ],
    ['a key that the schema does not know', 'nothing:\n  of: |'],
    ['a free text', 'endpoints:\n  a:\n    notes: |'],
  ] as const) {
    it(`offers nothing in ${title}`, () => assert.deepEqual(labels(text), []));
  }

  const env = { TOWER_KEY: 'very-hidden', PATH: '/bin', HTTPS_PROXY: 'x', 'odd-name': 'y' };
  const references: [title: string, text: string, first: string[]][] = [
    ['a key', 'endpoints:\n  a:\n    api_key: |', ['${secret:tower-key}', '${env:TOWER_KEY}']],
    [
      'a key that begins',
      'endpoints:\n  a:\n    api_key: ${|',
      ['${secret:tower-key}', '${env:TOWER_KEY}'],
    ],
    [
      'a header',
      'endpoints:\n  a:\n    headers:\n      Authorization: Bearer ${env:T|',
      ['${secret:tower-key}', '${env:TOWER_KEY}'],
    ],
    [
      'flow style',
      'endpoints:\n  a: { api_key: ${env:| }',
      ['${secret:tower-key}', '${env:TOWER_KEY}'],
    ],
    ['a proxy', 'endpoints:\n  a:\n    proxy: $|', ['${env:HTTPS_PROXY}', '${secret:tower-key}']],
  ];
  for (const [title, text, first] of references) {
    it(`offers names of variables and secrets for ${title}, and no value`, () => {
      const { items } = at(text, env);
      assert.deepEqual(
        labels(text, env)
          .filter((each) => each.startsWith('$'))
          .slice(0, 2),
        first,
      );
      assert.doesNotMatch(JSON.stringify(items), /very-hidden|odd-name/);
    });
  }

  const writes: [title: string, text: string, label: string, result: string][] = [
    [
      'a key over what is typed',
      'endpoints:\n  a:\n    ba|',
      'backend',
      'endpoints:\n  a:\n    backend: ',
    ],
    [
      'a group with its lines',
      'endpoints:\n  a:\n    |',
      'tls',
      'endpoints:\n  a:\n    tls:\n      ',
    ],
    [
      'a key before its colon',
      'endpoints:\n  a:\n    ba|: x',
      'backend',
      'endpoints:\n  a:\n    backend: x',
    ],
    ['a key in flow style', 'endpoints:\n  a: {|}', 'tls', 'endpoints:\n  a: {tls: {  }}'],
    ['a value right after its colon', 'defaults:\n  policy:|', 'any', 'defaults:\n  policy: any'],
    [
      'a value over another',
      'defaults:\n  policy: an|y # x',
      'local-only',
      'defaults:\n  policy: local-only # x',
    ],
    [
      'a word that would be a number, in quotes',
      'defaults:\n  model: |',
      '1.5',
      'defaults:\n  model: "1.5"',
    ],
    [
      'a word with a colon as it is',
      'defaults:\n  model: |',
      'qwen3:8b',
      'defaults:\n  model: qwen3:8b',
    ],
    [
      'a word within quotes',
      "defaults:\n  model: 'q|'",
      'qwen3:8b',
      "defaults:\n  model: 'qwen3:8b'",
    ],
    [
      'an item with its dash',
      'failover:\n  chains:\n    x:\n      |',
      'qwen3:8b',
      'failover:\n  chains:\n    x:\n      - qwen3:8b',
    ],
    [
      'a reference over what is typed of it',
      'endpoints:\n  a:\n    api_key: ${sec|}',
      '${secret:tower-key}',
      'endpoints:\n  a:\n    api_key: ${secret:tower-key}',
    ],
    [
      'a new endpoint',
      'endpoints:\n  |',
      'new endpoint',
      'endpoints:\n  name:\n    base_url: http://127.0.0.1:8080',
    ],
    [
      'a name of a model with a colon as a key',
      'failover:\n  chains:\n    |',
      'qwen3:8b',
      'failover:\n  chains:\n    qwen3:8b: []',
    ],
  ];
  for (const [title, text, label, result] of writes) {
    it(`writes ${title}`, () => {
      const written = chosen(text, label);
      assert.equal(written, result);
      parse(written);
    });
  }

  it('knows where it is worth asking what is served', () => {
    const wants = (source: string): boolean => {
      const { text, offset } = marked(source);
      return wantsModels(TextDocument.create('file:///a', 'yaml', 1, text), offset);
    };
    assert.ok(wants('defaults:\n  model: |'));
    assert.ok(wants('failover:\n  chains:\n    a:\n      - |'));
    assert.ok(wants('failover:\n  chains:\n    |'));
    assert.ok(!wants('defaults:\n  policy: |'));
    assert.ok(!wants('endpoints:\n  |'));
  });
});
