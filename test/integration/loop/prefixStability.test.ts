import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { WireFormat } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { loopRig, toolsOf, type RigOptions } from '../../support/loopRig.ts';
import {
  turnServer,
  type SeenRequest,
  type TurnServer,
  type TurnStep,
} from '../../support/turnServer.ts';

const TURNS = 30;
const RESULT_CHARACTERS = 12_000;
/** What the server of the test counts as a token. */
const CHARACTERS_PER_TOKEN = 4;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A job that reads a large file in each of its turns. */
async function read(
  format: WireFormat,
  more: Partial<RigOptions>,
  answer: (request: SeenRequest, at: number) => TurnStep | null = () => null,
) {
  const server = await turnServer(format, (request, at) => {
    const said = answer(request, at);
    if (said !== null) return said;
    const usage = { input: Math.ceil(promptOf(request).length / CHARACTERS_PER_TOKEN), output: 20 };
    const calls = [{ name: 'read_file', input: { path: `file-${at}.txt` } }];
    return at < TURNS - 1 ? { calls, usage } : { text: 'Read them all.', usage };
  });
  let count = 0;
  const tools = toolsOf({
    read_file: () => {
      count += 1;
      return { text: `${count}: ${'word '.repeat(RESULT_CHARACTERS / 5)}`, isError: false };
    },
    run_bash: () => ({ text: 'exit_code: 0', isError: false, exit: 0 }),
  });
  const rig = loopRig({
    url: server.url,
    format,
    tools,
    maxTurns: TURNS + 5,
    maxNudges: 0,
    ...more,
  });
  closers.push(rig.dispose, server.close);
  const end = await rig.run();
  return { server, rig, end };
}

/** The messages as they go over the wire, without the closing bracket, which moves as they grow. */
function promptOf({ body }: SeenRequest): string {
  return JSON.stringify(body['messages']).slice(0, -1);
}

/** Everything of a request up to the end of its messages. */
function upToMessages({ text, body }: SeenRequest): string {
  const messages = JSON.stringify(body['messages']);
  const at = text.lastIndexOf(messages);
  assert.ok(at >= 0, 'the messages are not in the request as JSON writes them');
  return text.slice(0, at + messages.length - 1);
}

/** Requests that do not begin with all that the request before them said. */
function breaks({ requests }: TurnServer): number[] {
  return requests.flatMap((request, at) => {
    const before = requests[at - 1];
    return before === undefined || request.text.startsWith(upToMessages(before)) ? [] : [at];
  });
}

/** Tokens that a server which keeps the prefix of the last prompt has to process in all. */
function processed({ requests }: TurnServer): number {
  let sum = 0;
  let before = '';
  for (const prompt of requests.map(promptOf)) {
    let at = 0;
    while (at < before.length && before[at] === prompt[at]) at += 1;
    sum += prompt.length - at;
    before = prompt;
  }
  return sum / CHARACTERS_PER_TOKEN;
}

for (const format of ['anthropic', 'openai'] as const) {
  describe(`the prefix of requests, ${format}`, function () {
    this.timeout(20_000);

    it('grows only at its end while the window has room', async () => {
      const { server, end } = await read(format, { place: { contextWindow: 1_000_000 } });
      assert.equal(end.text, 'Read them all.');
      assert.equal(server.requests.length, TURNS);
      assert.deepEqual(breaks(server), []);
    });

    it('breaks only where room is made, which is rare and frees much', async () => {
      const { server, rig } = await read(format, { place: { contextWindow: 50_000 } });
      const made = rig.events.filter(
        (event) => event.type === 'mark' && /^made room/.test(event.text),
      );
      assert.equal(breaks(server).length, made.length);
      assert.ok(made.length >= 2 && made.length <= 5, `${made.length}`);
      const sizes = server.requests.map(
        (request) => promptOf(request).length / CHARACTERS_PER_TOKEN,
      );
      assert.ok(Math.max(...sizes) < 50_000 * 0.8, `${Math.max(...sizes)}`);
      for (const at of breaks(server))
        assert.ok(
          (sizes[at] ?? 0) < 0.65 * (sizes[at - 1] ?? 0),
          `${sizes[at - 1]} to ${sizes[at]}`,
        );
    });

    it('costs a server with a prompt cache a fraction of an eviction in every turn', async () => {
      const { server } = await read(format, { place: { contextWindow: 50_000 } });
      assert.ok(
        processed(server) < 0.5 * rollingEviction(),
        `${processed(server)} ${rollingEviction()}`,
      );
    });

    it('keeps the newest results and what the model said', async () => {
      const { server } = await read(format, { place: { contextWindow: 50_000 } });
      const last = server.requests.at(-1);
      assert.ok(last);
      assert.match(last.text, /29: word/);
      assert.match(last.text, /28: word/);
      assert.match(last.text, /characters were left out here/);
      assert.match(last.text, /file-0\.txt/);
    });

    it('without a known window, characters decide', async () => {
      const { server } = await read(format, { place: { contextWindow: null } });
      const sizes = server.requests.map((request) => promptOf(request).length);
      assert.ok(Math.max(...sizes) < 300_000);
      assert.ok(breaks(server).length >= 1 && breaks(server).length <= 3);
    });

    it('a server that says the prompt is too long gets a shorter one, once', async () => {
      const limit = 40_000;
      const overflow: TurnStep =
        format === 'anthropic'
          ? { status: 400, message: 'prompt is too long: 40000 tokens > 30000 maximum' }
          : { status: 400, message: "This model's maximum context length is 30000 tokens." };
      const { server, end } = await read(format, { place: { contextWindow: null } }, (request) =>
        promptOf(request).length > limit ? overflow : null,
      );
      assert.equal(end.failure, null, JSON.stringify(end.failure));
      const tooLong = server.requests.filter((request) => promptOf(request).length > limit);
      assert.equal(tooLong.length, 1);
    });

    it('a job that writes much makes room in what it wrote', async () => {
      const content = 'line of code\n'.repeat(1000);
      const { server, end } = await read(
        format,
        { place: { contextWindow: 50_000 } },
        (request, at) => {
          const usage = {
            input: Math.ceil(promptOf(request).length / CHARACTERS_PER_TOKEN),
            output: 20,
          };
          const calls = [
            { name: 'run_bash', input: { command: 'x', content: `${at} ${content}` } },
          ];
          return at < TURNS - 1 ? { calls, usage } : { text: 'Wrote them all.', usage };
        },
      );
      assert.equal(end.text, 'Wrote them all.');
      const sizes = server.requests.map(
        (request) => promptOf(request).length / CHARACTERS_PER_TOKEN,
      );
      assert.ok(Math.max(...sizes) < 50_000 * 0.8, `${Math.max(...sizes)}`);
      assert.ok(breaks(server).length >= 2 && breaks(server).length <= 5);
      assert.match(server.requests.at(-1)?.text ?? '', /The call was run with them/);
    });

    it('a server that names its window only when a request does not fit gets a smaller output limit', async () => {
      const learnt: (number | null)[] = [];
      const says =
        "This model's maximum context length is 8192 tokens. However, you requested 66036 tokens (500 in the messages, 65536 in the completion). Please reduce the length.";
      const { server, end } = await read(
        format,
        {
          place: { contextWindow: null, maxTokens: 65_536 },
          onLearnt: ({ contextWindow }) => learnt.push(contextWindow),
        },
        ({ body }, at) => {
          if ((body['max_tokens'] as number) > 4000) return { status: 400, message: says };
          return at > 1 ? { text: 'Fits.' } : null;
        },
      );
      assert.equal(end.failure, null, JSON.stringify(end.failure));
      assert.deepEqual(
        server.requests.map(({ body }) => body['max_tokens']),
        [65_536, 2457, 2457],
      );
      assert.deepEqual(learnt, [8192]);
    });

    it('a task that is too long by itself fails as what it is, with what was said before', async () => {
      const overflow: TurnStep = {
        status: 400,
        message: 'prompt is too long: 500000 tokens > 200000 maximum',
      };
      const { server, end } = await read(format, {}, () => overflow);
      assert.equal(end.failure?.kind, 'context_overflow');
      assert.equal(server.requests.length, 1);
      assert.equal(end.turns, 1);
    });
  });
}

/** The same job with all but the newest six results evicted anew before each turn. */
function rollingEviction(): number {
  const kept = 6;
  let sum = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    // The oldest kept result has just become a note, so everything from there on is new to the server.
    sum += Math.min(turn, kept) * RESULT_CHARACTERS;
  }
  return sum / CHARACTERS_PER_TOKEN;
}
