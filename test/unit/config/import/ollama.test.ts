import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lmStudio } from '../../../../src/config/import/lmStudio.ts';
import { ollama } from '../../../../src/config/import/ollama.ts';
import { ollamaAddress } from '../../../../src/config/import/ollamaAddress.ts';

describe('ollamaAddress', () => {
  const CASES: readonly [host: string | undefined, address: string | null][] = [
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:11435', 'http://127.0.0.1:11435'],
    [':11435', 'http://127.0.0.1:11435'],
    ['gpu', 'http://gpu:11434'],
    ['gpu:80', 'http://gpu'],
    ['http://gpu', 'http://gpu'],
    ['https://gpu.example/ollama/', 'https://gpu.example/ollama'],
    ['"127.0.0.1:1"', 'http://127.0.0.1:1'],
    ['::1', 'http://[::1]:11434'],
    ['[::]:7', 'http://127.0.0.1:7'],
    ['ftp://gpu', null],
    ['http://me:pw@gpu', null],
    ['no host', null],
  ];
  for (const [host, address] of CASES)
    it(`${String(host)} is ${String(address)}`, () => assert.equal(ollamaAddress(host), address));
});

describe('ollama', () => {
  it('is one endpoint, and says which models are not here', () => {
    const { file, notes } = ollama('http://localhost:11434/', {
      models: [
        { name: 'llama3.2:latest', size: 2019393189, details: { family: 'llama' } },
        { name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.com:443', size: 384 },
        { model: 'kimi:cloud' },
        { size: 1 },
        'nonsense',
      ],
    });
    assert.deepEqual(file, {
      endpoints: { ollama: { base_url: 'http://localhost:11434', backend: 'ollama' } },
    });
    assert.deepEqual(notes, [
      'It has 3 models; they are not listed in the file, because they are asked for on every call.',
      '"gpt-oss:120b-cloud", "kimi:cloud" run in Ollama\'s cloud: local-only jobs do not use them.',
    ]);
  });

  it('says so when there is no model', () => {
    for (const tags of [{ models: [] }, {}, null, 3])
      assert.deepEqual(ollama('http://h', tags).notes, [
        'Ollama has no models yet: "ollama pull NAME" fetches one.',
      ]);
  });
});

describe('lmStudio', () => {
  const OWN = {
    object: 'list',
    data: [
      { id: 'qwen3-8b', type: 'llm', state: 'loaded', loaded_context_length: 8192 },
      { id: 'gemma', type: 'vlm', state: 'not-loaded', max_context_length: 131072 },
      { id: 'nomic', type: 'embeddings', state: 'not-loaded' },
    ],
  };

  it('is one endpoint of its kind by its own list', () => {
    const { file, notes } = lmStudio('http://127.0.0.1:1234/v1', OWN, true);
    assert.deepEqual(file, {
      endpoints: { lmstudio: { base_url: 'http://127.0.0.1:1234', backend: 'lmstudio' } },
    });
    assert.deepEqual(notes, [
      'It has 2 models, 1 loaded; they are not listed in the file, because they are asked for on every call.',
      'One of its models is for embeddings and is not offered.',
    ]);
  });

  it('does not claim the kind of a server that has no such list', () => {
    const { file, notes } = lmStudio('http://h:1234', { data: [{ id: 'a' }] }, false);
    assert.deepEqual(file, { endpoints: { lmstudio: { base_url: 'http://h:1234' } } });
    assert.match(notes.join('\n'), /what it is, is found out by asking/);
  });

  it('takes what is no list as none', () => {
    assert.deepEqual(lmStudio('http://h', 'x', true).notes, [
      'LM Studio has no model for chat yet.',
    ]);
  });
});
