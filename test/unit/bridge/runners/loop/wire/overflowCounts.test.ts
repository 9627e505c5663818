import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { overflowCounts } from '../../../../../../src/bridge/runners/loop/wire/overflowCounts.ts';
import { serverWords } from '../../../../../../src/bridge/runners/loop/wire/serverWords.ts';

function countsOf(document: object): (number | null)[] | null {
  const counts = overflowCounts({ ...document }, serverWords(JSON.stringify(document)));
  return counts === null ? null : [counts.promptTokens, counts.windowTokens];
}

describe('overflowCounts', () => {
  const said = (message: string) => ({ error: { message } });
  const table: [server: string, document: object, counts: (number | null)[] | null][] = [
    [
      'llama.cpp',
      {
        error: {
          code: 400,
          message: 'request (70009 tokens) exceeds the available context size (32768 tokens)',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 70_009,
          n_ctx: 32_768,
        },
      },
      [70_009, 32_768],
    ],
    [
      'vLLM',
      said(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      ),
      [5000, 4096],
    ],
    ['OpenAI', { error: { message: 'Too long.', code: 'context_length_exceeded' } }, [null, null]],
    ['Anthropic', said('prompt is too long: 210000 tokens > 200000 maximum'), [210_000, 200_000]],
    ['Bedrock', { message: 'Input is too long for requested model.' }, [null, null]],
    ['Ollama', { error: 'the input length exceeds the context length' }, [null, null]],
    [
      'LM Studio',
      said(
        'The number of tokens to keep from the initial prompt is greater than the context length.',
      ),
      [null, null],
    ],
    [
      'xAI',
      {
        error:
          "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
      [null, null],
    ],
    [
      'Gemini',
      said(
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      [null, null],
    ],
    ['Alibaba', said('Range of input length should be [1, 129024]'), [null, null]],
    ['Z.ai', { error: { code: '1261', message: 'Prompt exceeds max length' } }, [null, null]],
    ['LiteLLM', said('litellm.ContextWindowExceededError: it is too long'), [null, null]],
    [
      'OpenRouter, in the words of the provider',
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"prompt is too long: 9 tokens > 5 maximum"}}' },
        },
      },
      [9, 5],
    ],
    ['an output limit out of range (Z.ai)', said('max_tokens range [1,131072]'), null],
    [
      'an output limit out of range (Alibaba)',
      said('Range of max_tokens should be [1, 131072]'),
      null,
    ],
    ['an error that speaks of context', said('The context of this call is unknown.'), null],
    ['a file that is too long', said('The file name is too long.'), null],
    ['no words', {}, null],
  ];
  for (const [server, document, counts] of table) {
    it(`${server}: ${counts === null ? 'is none' : 'is one'}`, () =>
      assert.deepEqual(countsOf(document), counts));
  }
});

describe('serverWords', () => {
  const table: [name: string, text: string, words: string][] = [
    ['an error object', '{"error":{"message":"a  b\\nc"}}', 'a b c'],
    ['an error text', '{"error":"a"}', 'a'],
    ['a message', '{"message":"a"}', 'a'],
    ['a detail', '{"detail":"a"}', 'a'],
    ['a list of details', '{"detail":[{"loc":["body",0],"msg":"a"},{"msg":"b"},7]}', 'body.0 a; b'],
    ['an error object without words', '{"error":{}}', ''],
    ['a plain text', ' a\nb ', 'a b'],
    ['a page', '<html><TITLE lang="en">a\nb</TITLE>', 'a b'],
    ['a page without a title', ' <html>', ''],
    ['nothing', '', ''],
    ['a long text', 'x'.repeat(1000), 'x'.repeat(300)],
    ['a list', '[1]', '[1]'],
  ];
  for (const [name, text, words] of table) it(name, () => assert.equal(serverWords(text), words));
});
