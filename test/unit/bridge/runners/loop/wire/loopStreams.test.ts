import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AssistantBlock } from '../../../../../../src/bridge/runners/loop/history.ts';
import type { WireFormat } from '../../../../../../src/bridge/endpoints/endpointTarget.ts';
import type { TurnAnswer } from '../../../../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { readStream } from './readStream.ts';

const FOLDER = 'test/fixtures/loopStreams';
const RECORDED = 'test/fixtures/gateway/llama-server-stream.sse';

const text = (said: string): AssistantBlock => ({ type: 'text', text: said });
const thinking = (said: string, signature: string | null = null): AssistantBlock => ({
  type: 'thinking',
  text: said,
  signature,
  isRedacted: false,
});
const call = (id: string, name: string, rawInput: string): AssistantBlock => ({
  type: 'tool_call',
  id,
  name,
  input: JSON.parse(rawInput === '' ? '{}' : rawInput) as Record<string, unknown>,
  rawInput,
});
const answer = (
  blocks: readonly AssistantBlock[],
  [stopReason, rawStopReason]: readonly [TurnAnswer['stopReason'], string],
  modelServed: string,
  [input, output, cacheRead, cacheWrite = null]: readonly (number | null)[],
): TurnAnswer => ({
  blocks,
  stopReason,
  rawStopReason,
  modelServed,
  usage: {
    input: input ?? null,
    output: output ?? null,
    cacheRead: cacheRead ?? null,
    cacheWrite: cacheWrite ?? null,
  },
});
const USED_TOOL = ['tool_use', 'tool_use'] as const;
const CALLED = ['tool_use', 'tool_calls'] as const;
const SAID = ['end_turn', 'end_turn'] as const;

/**
 * What each stream says. Those named `recorded` come from real servers (LiteLLM 1.83.9 before a server that played one of the
 * others; llama.cpp b11549); the others are written after the documentation of the servers.
 */
const EXPECTED: Readonly<Record<string, TurnAnswer>> = {
  'anthropic.messages.sse': answer(
    [
      thinking('Two files — read both. 🧵', 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h'),
      { type: 'thinking', text: '', signature: 'EmwKAhgBEgy3va3pzix', isRedacted: true },
      text('I read both files.'),
      call('toolu_01A', 'read_file', '{"path": "src/ä.ts"}'),
      call('toolu_01B', 'list_dir', ''),
    ],
    USED_TOOL,
    'claude-sonnet-4-6',
    [25, 89, 3648, 0],
  ),
  'bedrock.messages.sse': answer(
    [text('Running the tests.'), call('toolu_bdrk_01Xy', 'run_bash', '{"command": "npm test"}')],
    USED_TOOL,
    'claude-sonnet-4-6',
    [412, 61, 0, 0],
  ),
  'glm.messages.sse': answer(
    [thinking('查看目录', '3c1e5f'), call('call_9f0', 'list_dir', '{"path":"."}')],
    USED_TOOL,
    'glm-4.7',
    [4, 31, 3648],
  ),
  'llama-server.messages.sse': answer(
    [thinking('Grep first.'), call('MUXkbu1bkqGxuYIL', 'grep', '{"pattern":"TODO"}')],
    USED_TOOL,
    'qwen3-30b-a3b',
    [40, 22, 812],
  ),
  'vllm.messages.sse': answer([text('Done.')], SAID, 'Qwen/Qwen3-Coder', [118, 3, null]),
  'ollama.messages.sse': answer(
    [thinking('Hm.'), call('call_x1', 'read_file', '{"path":"a.txt"}')],
    USED_TOOL,
    'qwen3:8b',
    [310, 44, null],
  ),
  'lmstudio.messages.sse': answer([text('The file has 3 lines.')], SAID, 'openai/gpt-oss-20b', [
    95,
    8,
    null,
  ]),
  'recorded.litellm.messages.sse': answer(
    [thinking('先看 a.ts'), text('Reading.'), call('call_00_Wq1', 'read_file', '{"path": "a.ts"}')],
    USED_TOOL,
    'deepseek.chat',
    [48, 60, 0, 0],
  ),
  'recorded.litellm.chat.sse': answer(
    [thinking('先看 a.ts'), text('Reading.'), call('call_00_Wq1', 'read_file', '{"path": "a.ts"}')],
    CALLED,
    'deepseek.chat',
    [48, 60, 1152],
  ),
  'recorded.litellm-thinking.chat.sse': answer(
    [
      thinking('Two files — read both. 🧵'),
      text('I read both files.'),
      call('toolu_01A', 'read_file', '{"path": "src/ä.ts"}'),
      call('toolu_01B', 'list_dir', '{}'),
    ],
    CALLED,
    'anthropic.messages',
    [25, 89, 3648, 0],
  ),
  'recorded.llama-server.messages.sse': answer(
    [call('nxEUf9QmaVtHDSZHsaHGDvd8P2Uoo5g5', 'run_bash', '{"command": "cat ä.txt"}')],
    USED_TOOL,
    'scripted',
    [109, 4, 0],
  ),
  'recorded.llama-server.chat.sse': answer(
    [call('yM0wXMN3FGa1nC8NKuBcHhOhBRCelxbb', 'run_bash', '{"command": "cat ä.txt"}')],
    CALLED,
    'scripted',
    [1, 4, 108],
  ),
  'llama-server.chat.sse': answer(
    [thinking('Grep first — 先.'), call('UGVHHzKk', 'grep', '{"pattern":"TODO"}')],
    CALLED,
    'qwen3-30b-a3b',
    [88, 41, 812],
  ),
  'vllm.chat.sse': answer(
    [
      thinking('List, then read.'),
      call('chatcmpl-tool-5f', 'list_dir', ''),
      call('chatcmpl-tool-60', 'read_file', '{"path": "a.ts"}'),
    ],
    CALLED,
    'Qwen/Qwen3-Coder',
    [120, 40, null],
  ),
  'ollama.chat.sse': answer(
    [
      thinking('Both.'),
      call('call_aa', 'read_file', '{"path":"a"}'),
      call('call_bb', 'read_file', '{"path":"b"}'),
    ],
    CALLED,
    'qwen3:8b',
    [310, 44, null],
  ),
  'lmstudio.chat.sse': answer(
    [thinking('I need the file.'), call('365174485', 'read_file', '{"path":"README.md"}')],
    ['tool_use', 'stop'],
    'openai/gpt-oss-20b',
    [null, null, null],
  ),
  'deepseek.chat.sse': answer(
    [thinking('先看 a.ts'), text('Reading.'), call('call_00_Wq1', 'read_file', '{"path": "a.ts"}')],
    CALLED,
    'deepseek-v4-flash',
    [48, 60, 1152],
  ),
  'glm.chat.sse': answer(
    [thinking('目录'), text('\n看一下。'), call('call_-81', 'list_dir', '{"path":"."}')],
    CALLED,
    'glm-4.7',
    [171, 36, 0],
  ),
  'openrouter.chat.sse': answer(
    [
      thinking('Look at both.'),
      call('functions.read_file:0', 'read_file', '{"path":"a"}'),
      call('functions.read_file:1', 'read_file', '{"path":"b"}'),
    ],
    CALLED,
    'moonshotai/kimi-k2',
    [500, 50, 0],
  ),
  'mistral.chat.sse': answer(
    [thinking('Four lines.'), text('It has four lines.')],
    ['end_turn', 'stop'],
    'magistral-medium',
    [20, 10, null],
  ),
  'no-parser.chat.sse': answer(
    [thinking('One <b> step.'), text('All < good.')],
    ['max_tokens', 'length'],
    'qwq-32b',
    [null, null, null],
  ),
};

function formatOf(file: string): WireFormat {
  return file.endsWith('.chat.sse') ? 'openai' : 'anthropic';
}

const STREAMS = [
  ...readdirSync(FOLDER).map((file) => ({
    name: file,
    format: formatOf(file),
    bytes: readFileSync(`${FOLDER}/${file}`),
    expected: EXPECTED[file],
  })),
  {
    name: 'recorded from a llama-server',
    format: 'anthropic' as const,
    bytes: readFileSync(RECORDED),
    expected: answer(
      [text("颜.Controlleraed'vejar.masks")],
      ['max_tokens', 'max_tokens'],
      'tiny-qwen',
      [1, 6, 8],
    ),
  },
];

describe('the stream of each server', function () {
  this.timeout(60_000);

  it('has an expected answer, and the other way round', () => {
    assert.deepEqual(readdirSync(FOLDER).toSorted(), Object.keys(EXPECTED).toSorted());
  });

  for (const { name, format, bytes, expected } of STREAMS) {
    describe(name, () => {
      const whole = readStream(format, [bytes]);

      it('reads as what it says', () => {
        assert.deepEqual(whole.answer, expected);
        assert.deepEqual([whole.failure, whole.firstTokens], [null, 1]);
      });

      it('reads the same cut in two at every byte, and byte by byte', () => {
        for (let at = 0; at <= bytes.length; at += 1) {
          const cut = readStream(format, [bytes.subarray(0, at), bytes.subarray(at)]);
          assert.deepEqual(cut, whole, `cut at ${at}`);
        }
        const single = readStream(
          format,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        );
        assert.deepEqual(single, whole);
      });

      it('reads the same with other line ends, spaces, comments and no names, cut anywhere', () => {
        const plain = bytes.toString('utf8');
        const forms = [
          plain.replaceAll('\n', '\r\n'),
          plain.replaceAll('\n', '\r'),
          plain.replaceAll(/^data: ?/gm, 'data:'),
          plain.replaceAll(/^data: ?/gm, 'data:   '),
          plain.replaceAll(/^event:.*\n/gm, ''),
          plain.replaceAll(/^data/gm, ': ping\nid: 7\nretry: 3000\ndata'),
          `\uFEFF\n\n${plain}`,
          plain.trimEnd(),
          `${plain.trimEnd()}\n\ndata: [DONE]\n\ndata: {"choices":[{"delta":{"content":"late"}}]}\n\n`,
        ];
        const form = fc.constantFrom(...forms).map((sent) => Buffer.from(sent));
        fc.assert(
          fc.property(form, fc.array(fc.nat(), { maxLength: 8 }), (sent, places) => {
            const cuts = places.map((place) => place % (sent.length + 1)).toSorted((a, b) => a - b);
            const pieces = [0, ...cuts].map((from, at) => sent.subarray(from, cuts[at]));
            const reading = readStream(format, pieces);
            assert.deepEqual({ ...reading, isOver: true }, { ...whole, isOver: true });
          }),
          { numRuns: 200 },
        );
      });

      it('says unknown where it broke off, and takes no part of a call for the whole', () => {
        const calls = (whole.answer as TurnAnswer).blocks.filter(
          ({ type }) => type === 'tool_call',
        );
        for (let length = 0; length < bytes.length; length += 1) {
          const { answer: part, failure } = readStream(format, [bytes.subarray(0, length)]);
          assert.equal(failure, null);
          if ('what' in part) continue;
          assert.equal(part.stopReason === 'unknown', part.rawStopReason === null, `at ${length}`);
          for (const block of part.blocks) {
            if (block.type !== 'tool_call' || block.input === null) continue;
            const isWhole = calls.some(
              (known) => known.type === 'tool_call' && known.rawInput === block.rawInput,
            );
            assert.ok(isWhole, `${JSON.stringify(block)} at ${length}`);
          }
        }
      });
    });
  }
});
