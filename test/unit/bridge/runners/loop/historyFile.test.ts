import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Conversation } from '../../../../../src/bridge/runners/loop/conversation.ts';
import type { Message } from '../../../../../src/bridge/runners/loop/history.ts';
import { HistoryFile, readHistory } from '../../../../../src/bridge/runners/loop/historyFile.ts';
import { redactor } from '../../../../../src/config/secrets.ts';

const text = fc.string({ unit: 'grapheme' });
const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }, { noNullPrototype: true }),
  fc.record(
    {
      type: fc.constant('thinking' as const),
      text,
      signature: fc.option(text),
      isRedacted: fc.boolean(),
    },
    { noNullPrototype: true },
  ),
);
const step = fc.oneof(
  fc.record({ do: fc.constant('user' as const), text }),
  fc.record({ do: fc.constant('assistant' as const), blocks: fc.array(block, { minLength: 1 }) }),
  fc.record({ do: fc.constant('results' as const), length: fc.nat(2000) }),
  fc.record({ do: fc.constant('write' as const), length: fc.nat(2000) }),
  fc.record({ do: fc.constant('evict' as const), keepNewest: fc.nat(3) }),
);

describe('HistoryFile', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'delegate-history-'));
    file = join(folder, 'history.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (values: Record<string, string> = {}): HistoryFile =>
    new HistoryFile(file, redactor(values), () => assert.fail('the disk is not full'));

  it('gives back what was said, evictions too', () => {
    fc.assert(
      fc.property(text, fc.array(step), (system, steps) => {
        const conversation = new Conversation(system, open());
        for (const one of steps) {
          if (one.do === 'user') conversation.addUser(one.text);
          else if (one.do === 'assistant')
            conversation.addAssistant({
              role: 'assistant',
              endpoint: 'e',
              model: 'm',
              blocks: one.blocks,
            });
          else if (one.do === 'write') {
            const input = { content: 'w'.repeat(one.length) };
            const call = { type: 'tool_call' as const, id: 'c', name: 'write_file', input };
            const blocks = [{ ...call, rawInput: JSON.stringify(input) }];
            conversation.addAssistant({ role: 'assistant', endpoint: 'e', model: 'm', blocks });
          } else if (one.do === 'results')
            conversation.addResults([
              { callId: 'c', name: 'n', text: 'r'.repeat(one.length), isError: false },
            ]);
          else conversation.evict({ characters: 1e9, keepNewest: one.keepNewest, least: 0 });
        }
        const kept = readHistory(file);
        assert.deepEqual(kept, { system, messages: conversation.messages });
      }),
      { numRuns: 60 },
    );
  });

  it('is for the user alone, and holds no secret', () => {
    const conversation = new Conversation('s', open({ key: 'sk-"quoted"-secret' }));
    conversation.addUser('the key is sk-"quoted"-secret');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readHistory(file)?.messages, [
      { role: 'user', text: 'the key is [secret key]' },
    ]);
  });

  it('goes on with what was written whole before a crash', () => {
    const conversation = new Conversation('s', open());
    conversation.addUser('one');
    appendFileSync(file, '{"type":"message","message":{"role":"us');
    assert.deepEqual(readHistory(file)?.messages, [{ role: 'user', text: 'one' }]);
  });

  it('a resumed job has the whole history in its own folder', () => {
    const earlier: Message[] = [{ role: 'user', text: 'one' }];
    const conversation = new Conversation('s', open(), earlier);
    conversation.addUser('two');
    assert.deepEqual(readHistory(file)?.messages, [...earlier, { role: 'user', text: 'two' }]);
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 4);
  });

  it('there is none: null', () => assert.equal(readHistory(join(folder, 'other')), null));
});

describe('Conversation', () => {
  const silent = { begin: () => undefined, message: () => undefined, evicted: () => undefined };
  it('answers open calls before somebody speaks again, and counts its characters', () => {
    const conversation = new Conversation('system', silent);
    conversation.addUser('task');
    conversation.addAssistant({
      role: 'assistant',
      endpoint: 'e',
      model: 'm',
      blocks: [{ type: 'tool_call', id: '1', name: 'glob', input: {}, rawInput: '{}' }],
    });
    conversation.addUser('go on');
    assert.deepEqual(
      conversation.messages.map(({ role }) => role),
      ['user', 'assistant', 'results', 'user'],
    );
    assert.equal(
      conversation.characters,
      ['system', 'task', 'glob', '{}', 'Not run: the job had ended before.', 'go on'].join('')
        .length,
    );
  });
});
