import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RunnerEvent } from '../../../../../src/bridge/runners/runner.ts';
import type { ToolCallBlock } from '../../../../../src/bridge/runners/loop/history.ts';
import { roomNote } from '../../../../../src/bridge/runners/loop/roomNote.ts';
import { runCalls } from '../../../../../src/bridge/runners/loop/runCalls.ts';
import type { ToolOutcome } from '../../../../../src/bridge/runners/loop/tools/toolTypes.ts';

const call = (name: string, input: Record<string, unknown> | null = {}): ToolCallBlock => ({
  type: 'tool_call',
  id: `id-${name}`,
  name,
  input,
  rawInput: input === null ? '{"path": "a' : JSON.stringify(input),
});

async function run(
  calls: readonly ToolCallBlock[],
  answer: (name: string) => ToolOutcome | Promise<ToolOutcome>,
  stop = new AbortController(),
) {
  const events: RunnerEvent[] = [];
  const ran: string[] = [];
  const done = await runCalls(calls, {
    tools: {
      specs: [],
      call: async (name) => {
        ran.push(name);
        return answer(name);
      },
    },
    signal: stop.signal,
    emit: (event) => events.push(event),
  });
  return { ...done, events, ran };
}

describe('runCalls', () => {
  it('runs in order, one result each, and says what was done', async () => {
    const outcomes: Record<string, ToolOutcome> = {
      run_bash: { text: 'exit_code: 2', isError: false, exit: 2 },
      write_file: { text: 'OK', isError: false, wrote: 'a.txt' },
      grep: { text: 'none', isError: true },
    };
    const { results, wroteFiles, exits, events, ran } = await run(
      [call('run_bash'), call('write_file'), call('grep')],
      (name) => outcomes[name] ?? assert.fail(name),
    );
    assert.deepEqual(ran, ['run_bash', 'write_file', 'grep']);
    assert.deepEqual(
      results.map(({ callId, isError }) => [callId, isError]),
      [
        ['id-run_bash', false],
        ['id-write_file', false],
        ['id-grep', true],
      ],
    );
    assert.deepEqual([wroteFiles, [...exits]], [1, [['id-run_bash', 2]]]);
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'tool',
        'tool_result',
        'command',
        'tool',
        'tool_result',
        'file_claimed',
        'tool',
        'tool_result',
      ],
    );
    assert.deepEqual(events[2], { type: 'command', exit: 2, isError: true });
  });

  it('a call that arrived cut off is not run, and the model is told so', async () => {
    const { results, ran } = await run([call('write_file', null)], () => assert.fail('ran'));
    assert.deepEqual(ran, []);
    assert.match(results[0]?.text ?? '', /cut off/);
    assert.equal(results[0]?.isError, true);
  });

  it('a note in place of a text is never written into a file', async () => {
    const { results, ran } = await run(
      [
        call('write_file', {
          path: 'a.ts',
          content: roomNote(9000, 'The call was run with them.'),
        }),
      ],
      () => assert.fail('ran'),
    );
    assert.deepEqual(ran, []);
    assert.match(results[0]?.text ?? '', /not the text itself/);
  });

  it('the same command is run as often as it is asked for', async () => {
    const again = call('run_bash', { command: 'npm test' });
    const { ran } = await run([again, call('write_file'), again], () => ({
      text: 'x',
      isError: false,
    }));
    assert.deepEqual(ran, ['run_bash', 'write_file', 'run_bash']);
  });

  it('after a stop nothing more is run, and every call still has its result', async () => {
    const stop = new AbortController();
    const { results, ran } = await run(
      [call('run_bash'), call('grep')],
      () => {
        stop.abort();
        throw new Error('aborted');
      },
      stop,
    );
    assert.deepEqual(ran, ['run_bash']);
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [true, true],
    );
  });

  it('a bug in a tool is not told to the model as its own mistake', async () => {
    await assert.rejects(
      run([call('grep')], () => {
        throw new Error('bug');
      }),
      /bug/,
    );
  });
});
