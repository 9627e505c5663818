import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { WireFormat } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { Deadline } from '../../../src/bridge/runners/loop/deadline.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { loopRig, toolsOf, type RigOptions, type ToolAnswer } from '../../support/loopRig.ts';
import { turnServer, type SaidCall, type TurnStep } from '../../support/turnServer.ts';

const FORMATS: readonly WireFormat[] = ['anthropic', 'openai'];
const ok: ToolAnswer = () => ({ text: 'fine', isError: false });
const wrote: ToolAnswer = () => ({ text: 'OK', isError: false, wrote: 'a.txt' });
const ran =
  (exit: number | null): ToolAnswer =>
  () => ({ text: `exit_code: ${exit}`, isError: false, exit });
const TOOLS = { read_file: ok, write_file: wrote, run_bash: ran(0) };
const call = (name: string, input: SaidCall['input'] = {}): SaidCall => ({ name, input });
const work: TurnStep = { calls: [call('write_file', { path: 'a.txt' })] };
const say = (text: string): TurnStep => ({ text });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function play(
  format: WireFormat,
  steps: readonly TurnStep[],
  more: Partial<RigOptions> & { answers?: Record<string, ToolAnswer> } = {},
) {
  const server = await turnServer(format, steps);
  const tools = toolsOf(more.answers ?? TOOLS);
  const rig = loopRig({ url: server.url, format, tools, ...more });
  closers.push(rig.dispose, server.close);
  const end = await rig.run();
  return { end, server, tools, rig };
}

interface EndingCase {
  readonly name: string;
  readonly steps: readonly TurnStep[];
  readonly maxTurns?: number;
  readonly maxNudges?: number;
  readonly answers?: Record<string, ToolAnswer>;
  readonly kind: string | null;
  readonly text: string | null;
  readonly requests: number;
  readonly stopReason?: string | null;
}

const ENDINGS: readonly EndingCase[] = [
  {
    name: 'work, then a report',
    steps: [work, say('Wrote a.txt.')],
    kind: null,
    text: 'Wrote a.txt.',
    requests: 2,
  },
  {
    name: 'finish ends with its report, without one more request',
    steps: [
      work,
      { text: 'Done.', calls: [call('finish', { report: 'Wrote a.txt, all of it.' })] },
    ],
    kind: null,
    text: 'Wrote a.txt, all of it.',
    requests: 2,
    stopReason: 'finish',
  },
  {
    name: 'other calls beside finish are run first',
    steps: [{ calls: [call('finish', { report: 'Wrote it.' }), call('write_file')] }],
    kind: null,
    text: 'Wrote it.',
    requests: 1,
  },
  {
    name: 'finish without a report is no end',
    steps: [work, { calls: [call('finish', {})] }, say('Wrote it.')],
    answers: { ...TOOLS, finish: () => ({ text: 'The report is missing.', isError: true }) },
    kind: null,
    text: 'Wrote it.',
    requests: 3,
  },
  {
    name: 'the answer to a nudge never replaces the report',
    steps: [say('The bug is in a.ts, line 7: an off-by-one.'), say('My report stands.')],
    kind: null,
    text: 'The bug is in a.ts, line 7: an off-by-one.',
    requests: 2,
  },
  {
    name: 'work after a nudge is told too',
    steps: [say('The bug is in a.ts.'), work, say('Fixed a.ts.')],
    kind: null,
    text: 'The bug is in a.ts.\n\nFixed a.ts.',
    requests: 3,
  },
  {
    name: 'an announcement is no report: what comes after the nudge is',
    steps: [say('Let me write the file now.'), work, say('Wrote a.txt.')],
    kind: null,
    text: 'Wrote a.txt.',
    requests: 3,
  },
  {
    name: 'a successful job costs no request more',
    steps: [work, say('Wrote a.txt.')],
    maxNudges: 5,
    kind: null,
    text: 'Wrote a.txt.',
    requests: 2,
  },
  {
    name: 'no nudges allowed: the report is the report',
    steps: [say('Nothing to do.')],
    maxNudges: 0,
    kind: null,
    text: 'Nothing to do.',
    requests: 1,
  },
  {
    name: 'an empty answer, and an empty one after the nudge',
    steps: [say(''), say('')].map(() => ({ thinking: 'hm' })),
    kind: 'incomplete',
    text: null,
    requests: 2,
  },
  {
    name: 'an answer cut at the limit keeps its text',
    steps: [work, { text: 'The long report beg', stop: 'max_tokens' }],
    kind: 'incomplete',
    text: 'The long report beg',
    requests: 2,
  },
  {
    name: 'a refusal',
    steps: [{ text: 'No.', stop: 'refusal' }],
    kind: 'incomplete',
    text: 'No.',
    requests: 1,
  },
  {
    name: 'a stream that breaks off twice',
    steps: [
      { text: 'half', stop: null },
      { text: 'half', stop: null },
    ],
    kind: 'incomplete',
    text: 'half',
    requests: 2,
  },
  {
    name: 'a stream that breaks off once',
    steps: [{ text: 'half', stop: null }, work, say('Wrote it.')],
    kind: null,
    text: 'Wrote it.',
    requests: 3,
  },
  {
    name: 'the turn limit keeps what the model said, and runs nothing',
    steps: [work, { text: 'Now the second file.', calls: [call('write_file'), call('run_bash')] }],
    maxTurns: 2,
    kind: 'incomplete',
    text: 'Now the second file.',
    requests: 2,
    stopReason: 'turn_limit_pending_tools',
  },
  {
    name: 'finish on the last turn is an end, not a limit',
    steps: [work, { calls: [call('finish', { report: 'Wrote it.' })] }],
    maxTurns: 2,
    kind: null,
    text: 'Wrote it.',
    requests: 2,
  },
  {
    name: 'a refused key after work: text, turns and usage stay',
    steps: [{ text: 'I begin.', calls: [call('write_file')] }, { status: 401 }],
    kind: 'auth_failed',
    text: 'I begin.',
    requests: 2,
  },
  {
    name: 'a request that is wrong is not sent again',
    steps: [{ status: 400, message: 'bad field' }],
    kind: 'backend_error',
    text: null,
    requests: 1,
  },
  {
    name: 'a server that stays overloaded: four attempts',
    steps: [429, 529, 503, 429].map((status) => ({ status })),
    kind: 'rate_limited',
    text: null,
    requests: 4,
  },
  {
    name: 'a server that comes back',
    steps: [{ status: 503 }, { status: 529 }, { status: 500 }, work, say('Wrote it.')],
    kind: null,
    text: 'Wrote it.',
    requests: 5,
  },
];

describe('a round of the loop', () => {
  for (const format of FORMATS) {
    describe(format, () => {
      for (const ending of ENDINGS) {
        it(ending.name, async () => {
          const stopWords = (step: TurnStep): TurnStep =>
            format === 'anthropic' || typeof step === 'function' || !('stop' in step)
              ? step
              : { ...step, stop: CHAT_STOPS[step.stop ?? ''] ?? null };
          const { end, server } = await play(format, ending.steps.map(stopWords), {
            maxTurns: ending.maxTurns ?? 25,
            maxNudges: ending.maxNudges ?? 1,
            ...(ending.answers === undefined ? {} : { answers: ending.answers }),
          });
          assert.equal(end.failure?.kind ?? null, ending.kind, JSON.stringify(end));
          assert.equal(end.text, ending.text);
          assert.equal(server.requests.length, ending.requests);
          if (ending.stopReason !== undefined) assert.equal(end.stopReason, ending.stopReason);
          assert.ok((end.turns ?? 0) >= 1);
        });
      }
    });
  }
});

const CHAT_STOPS: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  refusal: 'content_filter',
};

describe('what the loop does with tools', () => {
  for (const format of FORMATS) {
    it(`${format}: the same command runs again after an edit`, async () => {
      const test: TurnStep = { calls: [call('run_bash', { command: 'npm test' })] };
      const { tools } = await play(format, [test, work, test, say('All pass.')]);
      assert.deepEqual(tools.ran, ['run_bash', 'write_file', 'run_bash']);
    });

    it(`${format}: arguments that arrive cut off are not run, and the model is told`, async () => {
      const cut: TurnStep = { calls: [call('write_file', '{"path": "a.txt", "content": "beg')] };
      const { tools, server, end } = await play(format, [cut, work, say('Wrote it.')]);
      assert.deepEqual(tools.ran, ['write_file']);
      assert.match(server.requests[1]?.text ?? '', /cut off/);
      assert.equal(end.failure, null);
    });

    it(`${format}: exit codes are facts, whatever the report claims`, async () => {
      const { rig } = await play(format, [{ calls: [call('run_bash')] }, say('All green.')], {
        answers: { ...TOOLS, run_bash: ran(2) },
      });
      const commands = rig.events.filter((event) => event.type === 'command');
      assert.deepEqual(commands, [{ type: 'command', exit: 2, isError: true }]);
    });

    it(`${format}: the last turn is announced in a result, and asks for no commit in a checkout`, async () => {
      const { server } = await play(format, [work, work, say('Wrote it.')], { maxTurns: 3 });
      assert.doesNotMatch(server.requests[1]?.text ?? '', /LAST TURN|TURNS LEFT/);
      assert.match(server.requests[2]?.text ?? '', /\[LAST TURN\]/);
      assert.doesNotMatch(server.requests[2]?.text ?? '', /git commit/);
    });

    it(`${format}: a commit is asked for in a worktree that the job changed`, async () => {
      const steps = [...Array.from({ length: 10 }, () => work), say('Wrote it.')];
      const { server } = await play(format, steps, { maxTurns: 12, hasOwnTree: true });
      const texts = server.requests.map(({ text }) => text);
      assert.equal(
        texts.findIndex((text) => text.includes('git commit')),
        9,
      );
    });

    it(`${format}: usage that nobody reports stays unknown`, async () => {
      const { end } = await play(format, [
        { ...(work as object), usage: null },
        { text: 'Wrote it.', usage: null },
      ]);
      assert.deepEqual(end.usage, { input: null, output: null, cacheRead: null, cacheWrite: null });
    });

    it(`${format}: usage is added up over the turns`, async () => {
      const { end, rig } = await play(format, [
        { ...(work as object), usage: { input: 100, output: 5 } },
        { text: 'Wrote it.', usage: { input: 130, output: 7 } },
      ]);
      assert.deepEqual([end.usage?.input, end.usage?.output], [230, 12]);
      assert.equal(rig.totals.contextUsed, 137);
      assert.deepEqual([rig.totals.requests, end.modelServed], [2, 'm']);
    });
  }

  it('never comes back before Retry-After', async () => {
    const { rig } = await play('anthropic', [
      { status: 429, headers: { 'retry-after': '7' } },
      work,
      say('Wrote it.'),
    ]);
    assert.deepEqual(rig.pauses, [7875]);
  });

  it('the key is the same in all requests of a job', async () => {
    const server = await turnServer('openai', [
      work,
      work,
      { status: 503 },
      work,
      say('Wrote it.'),
    ]);
    const rig = loopRig({ url: server.url, format: 'openai', tools: toolsOf(TOOLS) });
    closers.push(rig.dispose, server.close);
    const target = { ...rig.place.target, headers: { authorization: 'Bearer one-key' } };
    const keyed = loopRig({
      url: server.url,
      format: 'openai',
      tools: toolsOf(TOOLS),
      place: { target },
    });
    closers.push(keyed.dispose);
    await keyed.run();
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      Array.from({ length: 5 }, () => 'Bearer one-key'),
    );
  });

  it('the deadline ends the tools of a turn: the next is not run, and each has its result', async () => {
    const calls = [call('run_bash'), call('write_file')];
    const server = await turnServer('anthropic', [{ text: 'Both now.', calls }]);
    const clock = new FakeClock();
    const deadline = new Deadline(clock, 600_000);
    const tools = toolsOf({
      ...TOOLS,
      run_bash: async (_input, signal) => {
        await clock.advance(600_001);
        signal.throwIfAborted();
        return assert.fail('the deadline did not reach the tool');
      },
    });
    const rig = loopRig({ url: server.url, format: 'anthropic', tools, deadline });
    closers.push(rig.dispose, server.close);
    const end = await rig.run();
    assert.deepEqual(tools.ran, ['run_bash']);
    assert.deepEqual([end.failure?.kind, end.text, end.turns], ['timeout', 'Both now.', 1]);
    const last = rig.conversation.messages.at(-1);
    assert.deepEqual(last?.role === 'results' && last.results.map(({ isError }) => isError), [
      true,
      true,
    ]);
  });

  it('a stop ends a request that hangs', async () => {
    const server = await turnServer('anthropic', [work, () => undefined]);
    const rig = loopRig({ url: server.url, format: 'anthropic', tools: toolsOf(TOOLS) });
    closers.push(rig.dispose, server.close);
    const session = rig.start();
    const ended = rig.drain(session);
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await session.stop('cancelled');
    const end = await ended;
    assert.deepEqual([end.failure?.kind, end.turns], ['cancelled', 2]);
    assert.equal(rig.traces.length, 2);
  });

  it('thinking goes back to the endpoint that made it, and not to another', async () => {
    const server = await turnServer('anthropic', [
      { thinking: 'secret plan', calls: [call('write_file')] },
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': '0' } },
      say('Wrote it elsewhere.'),
    ]);
    const problems: string[] = [];
    const rig = loopRig({
      url: server.url,
      format: 'anthropic',
      tools: toolsOf(TOOLS),
      failover: async (problem) => {
        problems.push(problem.kind);
        const { place } = rig;
        const target = { ...place.target, name: 'other' };
        return { ...place, endpoint: 'other', model: 'other-model', target };
      },
    });
    closers.push(rig.dispose, server.close);
    const end = await rig.run();
    assert.deepEqual([end.failure, end.text], [null, 'Wrote it elsewhere.']);
    assert.deepEqual(problems, ['backend_error']);
    assert.deepEqual(
      server.requests.map(({ body, text }) => [body['model'], text.includes('secret plan')]),
      [['m', false], ...Array.from({ length: 4 }, () => ['m', true]), ['other-model', false]],
    );
    assert.equal(rig.totals.requests, 1);
  });
});
