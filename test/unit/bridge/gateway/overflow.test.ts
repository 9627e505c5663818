import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { translateOverflow } from '../../../../src/bridge/gateway/overflow.ts';

const recorded: unknown = JSON.parse(
  readFileSync('test/fixtures/gateway/llama-server-exceed-context.json', 'utf8'),
);
const VLLM = "This model's maximum context length is";

describe('translateOverflow', () => {
  const table: { name: string; document: unknown; says: string; window?: number }[] = [
    {
      name: 'llama-server, as recorded',
      document: recorded,
      says: 'prompt is too long: 70009 tokens > 32768 maximum',
    },
    {
      name: 'llama.cpp without numeric fields',
      document: {
        error: {
          message:
            'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: 'x',
        },
      },
      says: 'prompt is too long: 5000 tokens > 4096 maximum',
    },
    {
      name: 'vLLM, flat',
      document: {
        object: 'error',
        type: 'BadRequestError',
        code: 400,
        message: `${VLLM} 32768 tokens. However, you requested 40000 tokens (39000 in the messages, 1000 in the completion). Please reduce`,
      },
      says: 'prompt is too long: 40000 tokens > 32768 maximum',
    },
    {
      name: 'vLLM Anthropic endpoint: the total counts, not the requested output',
      document: {
        type: 'error',
        error: {
          type: 'internal_error',
          message: `${VLLM} 937472 tokens. However, you requested 16 output tokens and your prompt contains at least 937457 input tokens, for a total of at least 937473 tokens.`,
        },
      },
      says: 'prompt is too long: 937473 tokens > 937472 maximum',
    },
    {
      name: 'SGLang',
      document: {
        error: {
          message:
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        },
      },
      says: 'prompt is too long: 9000 tokens > 8192 maximum',
    },
    {
      name: 'the prompt fits and the answer does not: a shorter answer is asked for, nothing is compacted',
      document: {
        message: `${VLLM} 32768 tokens. However, you requested 42000 tokens (10000 in the messages, 32000 in the completion).`,
      },
      says: 'input length and `max_tokens` exceed context limit: 10000 + 32000 > 32768, decrease input length or `max_tokens` and try again',
    },
    {
      name: 'the same in the words of a newer vLLM',
      document: {
        error: {
          message: `'max_tokens' is too large: 32000. ${VLLM} 32768 tokens and your request has 10000 input tokens (32000 > 32768 - 10000).`,
        },
      },
      says: 'input length and `max_tokens` exceed context limit: 10000 + 32000 > 32768, decrease input length or `max_tokens` and try again',
    },
    {
      name: 'too little room for any answer: the prompt is too long',
      document: {
        error: {
          message: `${VLLM} 32768 tokens and your request has 30000 input tokens (32000 > 32768 - 30000).`,
        },
      },
      says: 'prompt is too long: 30000 tokens > 32768 maximum',
    },
    {
      name: 'a code without numbers',
      document: { error: { code: 'context_length_exceeded', message: 'no' } },
      says: 'prompt is too long',
    },
    {
      name: 'the limit is missing but known',
      document: { error: { type: 'exceed_context_size_error', n_prompt_tokens: 9 } },
      window: 8,
      says: 'prompt is too long: 9 tokens > 8 maximum',
    },
  ];
  for (const { name, document, says, window } of table) {
    it(name, () => {
      const overflow = translateOverflow(document, window ?? null);
      assert.deepEqual(overflow?.body, {
        type: 'error',
        error: { type: 'invalid_request_error', message: says },
      });
    });
  }

  it('keeps what the server said, at most 300 characters', () => {
    const message = `context length exceeded ${'x'.repeat(500)}`;
    assert.equal(translateOverflow({ error: { message } }, null)?.original, message.slice(0, 300));
  });

  for (const document of [
    { error: { message: 'bad json', code: 400 } },
    { error: { message: 'CUDA out of memory', code: 500 } },
    { error: { message: 'the context was cancelled' } },
    { error: 'maximum context length' },
    { error: { message: 7 } },
    'maximum context length',
    null,
    undefined,
    [],
  ]) {
    it(`leaves ${JSON.stringify(document)} alone`, () =>
      assert.equal(translateOverflow(document, 100), null));
  }
});
