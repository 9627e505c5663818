import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commentedExample } from '../../../../src/host/start/commentedExample.ts';
import { foundItem } from '../../../../src/host/start/endpointItems.ts';
import {
  abilityWords,
  kindWords,
  placeWords,
  type Probe,
  probeWords,
} from '../../../../src/host/start/probeWords.ts';
import { readFileSync } from 'node:fs';
import { parseModelsText } from '../../../../src/config/parse.ts';

const probe = (more: Partial<Probe>): Probe => ({
  state: 'up',
  why: null,
  message: null,
  hint: '',
  backend: 'llama.cpp',
  models: [],
  listsModels: true,
  slots: null,
  load: null,
  latencyMs: 3,
  warnings: [],
  ...more,
});
const model = (id: string, context: number | null = null): Probe['models'][number] => ({
  ...{ id, context, contextSource: null, warning: null, loaded: null, claimsTools: null },
  remoteHost: null,
});

describe('words about model servers', () => {
  it('say what a server serves', () => {
    for (const [given, words] of [
      [probe({}), 'serves no model now · window unknown'],
      [probe({ listsModels: false }), 'does not list its models · window unknown'],
      [
        probe({ models: [model('Qwen3.8-27B', 131_072)], slots: { total: 1, busy: 0 } }),
        'Qwen3.8-27B · window 131k · 1 slot',
      ],
      [
        probe({ models: ['a', 'b', 'c', 'd', 'e'].map((id) => model(id, 8192)) }),
        'a, b, c and 2 more · window 8.2k',
      ],
      [
        probe({ state: 'down', message: 'tower wants a key.', hint: 'Give it one.' }),
        'tower wants a key. Give it one.',
      ],
    ] as const)
      assert.equal(probeWords(given), words);
    assert.equal(kindWords({ backend: 'ollama' }), 'Ollama');
    assert.equal(kindWords({ backend: 'other' }), 'A model server');
  });

  it('say what it can do, and nothing where that is not known', () => {
    const tools = (answer: 'yes' | 'no', why: string) => ({ model: 'm', answer, why });
    assert.equal(abilityWords({ formats: [], tools: null }), '');
    assert.equal(
      abilityWords({ formats: ['anthropic', 'openai'], tools: tools('yes', 'm called a tool.') }),
      'speaks the format of Anthropic and OpenAI · m called a tool.',
    );
  });

  it('say where what is sent goes, for every class of places', () => {
    assert.match(placeWords('local', 'http://127.0.0.1:1'), /nothing leaves it/);
    for (const place of ['lan', 'rented', 'cloud', 'unknown'] as const)
      assert.match(placeWords(place, 'https://gpu.example:8443/x'), /gpu\.example:8443/, place);
    assert.match(placeWords('cloud', 'https://a'), /local-only jobs do not use it/);
  });

  it('let no server draw icons, lines or controls', () => {
    const item = foundItem({
      baseUrl: 'http://127.0.0.1:8080',
      suggestedName: 'x',
      registeredAs: null,
      locality: 'local',
      placeWarning: null,
      formats: ['anthropic'],
      tools: { model: 'x', answer: 'unknown', why: '$(bug) \u001b[31m said\nso' },
      entry: [{ key: 'base_url', value: 'http://127.0.0.1:8080' }],
      probe: probe({ models: [model('$(error) evil\u001b[31m\nline\u202e')] }),
    });
    for (const part of ['$(', '\u001b', '\n', '\u202e'])
      assert.ok(!item.detail.includes(part), JSON.stringify(item.detail));
    assert.match(item.label, /^\$\(vm-active\) llama\.cpp$/);
  });

  it('make of the example a file that sets nothing', () => {
    const text = commentedExample(readFileSync('models.example.yaml', 'utf8'));
    const { value, problems } = parseModelsText(text, 'models.yaml');
    assert.deepEqual(problems, []);
    assert.deepEqual(value, {});
    assert.match(text, /^# endpoints:$/m);
    assert.doesNotMatch(text, /Copy what you need/);
    // Taking the marks away again gives the example's own lines.
    assert.match(text, /^# {5}base_url: http/m);
  });
});
