import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { MarkupContent } from 'vscode-languageserver/node';
import { codeLenses } from '../../../src/languageServer/codeLenses.ts';
import { documentSymbols } from '../../../src/languageServer/documentSymbols.ts';
import { hoverAt } from '../../../src/languageServer/hover/hoverAt.ts';
import { referenceHints } from '../../../src/languageServer/referenceHints.ts';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../../src/protocol/modelsLanguage/noLiveFacts.ts';
import { marked, modelsWorlds, NOW_MS, upFacts } from './support/modelsWorld.ts';

const URL_A = 'http://127.0.0.1:8080';
const LIVE = upFacts(
  { tower: { url: URL_A, models: { 'qwen3-8b': 131_072, 'x-y': null }, slots: 4 } },
  { secrets: ['kept'], pools: [{ name: 'qwen', slots: 4, in_use: 1, waiting: [] }] },
);
const down = (why: 'port_closed', message: string): LiveFacts => ({
  ...LIVE,
  endpoints: LIVE.endpoints.map((each) => ({
    ...each,
    probe: {
      ...each.probe,
      state: 'down',
      why,
      message,
      hint: 'Start it.',
      models: [],
      slots: null,
    },
  })),
});
const ENV = { SET: 'very-hidden-value' };

describe('hoverAt', () => {
  const worlds = modelsWorlds();
  function hover(source: string, live: LiveFacts = LIVE): string | null {
    const { text, offset } = marked(source);
    const world = worlds();
    world.live = live;
    const found = hoverAt({ doc: world.read(text), env: ENV, nowMs: NOW_MS }, offset);
    return found === null ? null : (found.contents as MarkupContent).value;
  }

  const tower = `endpoints:\n  tow|er: { base_url: "${URL_A}" }\n`;
  const cases: [title: string, source: string, says: RegExp, live?: LiveFacts][] = [
    [
      'a key',
      'endpoints:\n  a:\n    base_url: http://h\n    for|mat: auto\n',
      /Wire format[^]*`auto`, `anthropic`, `openai` · default \\"auto\\"[^]*In force: \\"auto\\", from models\\.yaml/,
    ],
    [
      'a key without an effect',
      'endpoints: {}\nled|ger: {}\n',
      /without an effect in this version/,
    ],
    [
      'an endpoint that is up',
      tower,
      /up · 2 models · 4 slots · 12 s ago[^]*qwen3\\-8b · window 131k[^]*x\\-y · window unknown/,
    ],
    [
      'an endpoint that is down',
      tower,
      /down\\: nothing listens there · 12 s ago[^]*no server[^]*Start it/,
      down('port_closed', 'no server'),
    ],
    [
      'an endpoint at another address',
      'endpoints:\n  tow|er: { base_url: "http://127.0.0.1:9" }\n',
      /Not asked yet at this address/,
    ],
    [
      'an endpoint that nobody asked',
      tower,
      /Not asked yet[^]*Restricted Mode/,
      { ...NO_LIVE_FACTS, trouble: 'This window is in Restricted Mode.' },
    ],
    [
      'an endpoint whose answer is old',
      tower,
      /was up[^]*30 min ago/,
      { ...LIVE, asked_at: new Date(NOW_MS - 30 * 60_000).toISOString() },
    ],
    [
      'an endpoint of which nothing newer is known',
      tower,
      /was up[^]*Nothing newer is known\\?: the bridge has ended/,
      { ...LIVE, trouble: 'the bridge has ended' },
    ],
    [
      'a model',
      `endpoints:\n  tower: { base_url: "${URL_A}" }\npools: { qwen: {} }\ndefaults:\n  model: qwen|3-8b\n`,
      /Served by tower, asked 12 s ago[^]*Window 131k tokens[^]*Pool qwen/,
    ],
    [
      'a model that nobody serves',
      'endpoints: {}\ndefaults:\n  model: no|ne\n',
      /No endpoint serves this very name/,
    ],
    ['a pool', 'endpoints: {}\npools:\n  qw|en: { slots: 4 }\n', /1 of 4 places in use · 12 s ago/],
    [
      'a variable that is set',
      'endpoints:\n  a: { base_url: "http://h", api_key: "${env:S|ET}" }\n',
      /\*\*SET\*\* is set for this window/,
    ],
    [
      'a variable that is not set',
      'endpoints:\n  a: { base_url: "http://h", api_key: "${env:U|NSET}" }\n',
      /\*\*UNSET\*\* is not set/,
    ],
    [
      'a secret that is kept',
      'endpoints:\n  a: { base_url: "http://h", api_key: "${secret:ke|pt}" }\n',
      /\*\*kept\*\* is kept/,
    ],
    [
      'a secret that is not kept',
      'endpoints:\n  a: { base_url: "http://h", api_key: "${secret:go|ne}" }\n',
      /No secret \*\*gone\*\* is kept yet/,
    ],
  ];
  for (const [title, source, says, live] of cases) {
    it(`tells of ${title}`, () => {
      const text = hover(source, live) ?? assert.fail('nothing is said');
      assert.match(text, says);
      assert.doesNotMatch(text, /very-hidden/);
    });
  }

  for (const [title, source] of [
    ['a key', 'endpoints:\n  a:\n    base_url: http://h\n    api|_key: sk-very-hidden\n'],
    [
      'a header',
      'endpoints:\n  a:\n    base_url: http://h\n    headers:\n      X-Th|ing: very-hidden\n',
    ],
    ['a proxy', 'endpoints:\n  a:\n    base_url: http://h\n    pro|xy: http://u:very-hidden@p\n'],
    ['a token', 'endpoints: {}\nrouter:\n  tok|en: very-hidden\n'],
  ] as const) {
    it(`never shows ${title} that is written out`, () => {
      assert.doesNotMatch(hover(source) ?? '', /very-hidden/);
    });
  }

  it('foreign text makes no link, tag or icon', () => {
    const evil = '<img src=x onerror=a> [a](command:b) $(bug) http://evil';
    const live = upFacts({ tower: { url: URL_A, models: { [evil]: 5 } } });
    const text = hover(tower, live) ?? assert.fail();
    assert.doesNotMatch(text, /(?<!\\)<img|(?<!\\)\[a\]|(?<!\\)\$\(|http:\/\/evil/);
  });

  it('says nothing in another program’s file and beside what is known', () => {
    assert.equal(hover('endpoints: {}\nothing|: x\n'), null);
  });
});

describe('codeLenses', () => {
  const worlds = modelsWorlds();
  const titles = (text: string, live: LiveFacts) => {
    const world = worlds();
    world.live = live;
    return codeLenses(world.read(text), NOW_MS).map(({ command }) => [
      command?.title,
      command?.command,
      ...((command?.arguments ?? []) as string[]),
    ]);
  };
  it('one on each endpoint, with what it said', () => {
    const text = `endpoints:\n  tower:\n    base_url: ${URL_A}\n  b: { base_url: "http://127.0.0.1:1" }\ngates:\n  t: { run: x }\n`;
    assert.deepEqual(titles(text, LIVE), [
      ['Probe · up · 2 models · 4 slots · 12 s ago', 'delegationBridge.probeEndpoint', 'tower'],
      ['Probe', 'delegationBridge.probeEndpoint', 'b'],
    ]);
  });
  it('a state of another address is not shown', () => {
    assert.deepEqual(titles('endpoints:\n  tower: { base_url: "http://127.0.0.1:2" }\n', LIVE), [
      ['Probe', 'delegationBridge.probeEndpoint', 'tower'],
    ]);
  });
});

describe('documentSymbols', () => {
  const worlds = modelsWorlds();
  it('sections, entries and their keys, without anything that may be a key of a server', () => {
    const symbols = documentSymbols(
      worlds().read(
        'defaults:\n  model: m\nendpoints:\n  a:\n    base_url: http://h\n    api_key: very-hidden\nfailover:\n  chains:\n    x: [y]\n',
      ),
    );
    assert.deepEqual(
      symbols.map(({ name, children }) => [
        name,
        children?.map((child) => [child.name, child.detail]),
      ]),
      [
        ['defaults', [['model', 'm']]],
        ['endpoints', [['a', '']]],
        ['failover', [['chains', '']]],
      ],
    );
    assert.doesNotMatch(JSON.stringify(symbols), /very-hidden/);
    assert.deepEqual(symbols[1]?.range.end, { line: 5, character: 24 });
  });
});

describe('referenceHints', () => {
  const worlds = modelsWorlds();
  it('says softly what this window does not know, and is silent where it cannot know', () => {
    const text =
      'endpoints:\n  a:\n    base_url: http://h\n    api_key: ${env:SET}\n    headers: { A: "Bearer ${secret:gone}", B: "${env:UNSET}" }\n';
    const world = worlds();
    world.live = LIVE;
    const doc = world.read(text);
    const hints = referenceHints(doc, ENV);
    assert.deepEqual(
      hints.map(({ code, severity, range }) => [code, severity, doc.document.getText(range)]),
      [
        ['secret_not_kept', 3, '${secret:gone}'],
        ['env_not_set', 3, '${env:UNSET}'],
      ],
    );
    world.live = NO_LIVE_FACTS;
    assert.deepEqual(
      referenceHints(world.read(text), ENV).map(({ code }) => code),
      ['env_not_set'],
    );
  });
});
