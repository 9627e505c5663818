import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import claudeNew from '../../fixtures/rehearsal/claude-2.1.332.json' with { type: 'json' };
import claudeOld from '../../fixtures/rehearsal/claude-2.1.197.json' with { type: 'json' };
import codex from '../../fixtures/rehearsal/codex-0.171.json' with { type: 'json' };
import type { Reply } from '../../../src/rehearsal/answer.ts';
import type { Conversation, OfferedTool, Turn } from '../../../src/rehearsal/conversation.ts';
import { Player } from '../../../src/rehearsal/player.ts';
import { readMessagesRequest } from '../../../src/rehearsal/readMessagesRequest.ts';
import { readResponsesRequest } from '../../../src/rehearsal/readResponsesRequest.ts';

const TOOLS = ['Write', 'Bash', 'Read'].map((name): OfferedTool => ({
  name,
  form: 'function',
  schema: {},
}));
const CALL: Turn = { kind: 'call' };
const RESULT: Turn = { kind: 'result', text: 'ok' };
const FINAL: Turn = { kind: 'final' };
const STEP = [CALL, RESULT];

const user = (text: string): Turn => ({ kind: 'user', text });
const brief = (...lines: string[]): Turn => user(`\`\`\`rehearsal\n${lines.join('\n')}\n\`\`\``);

function conversation(turns: readonly Turn[], rest: Partial<Conversation> = {}): Conversation {
  return {
    turns,
    tools: TOOLS,
    demandedTool: null,
    session: 's1',
    wantsStream: false,
    promptTokens: 1,
    ...rest,
  };
}

/** A reply in short: "Bash ls", "text …" or the fault. */
function short({ answer, fault }: Reply): string {
  if (fault !== null) return fault.kind;
  if (answer.call === null) return `text ${answer.text ?? ''}`;
  const values = Object.values(answer.call.input).join(' ');
  return `${answer.text === null ? '' : `${answer.text} + `}${answer.call.name} ${values}`;
}

describe('Player', () => {
  it('plays one line a turn, found by counting the results', () => {
    const script = brief('write a: x', 'say: next', 'run: ls', 'say: Bye.', 'say: Really.');
    const played = [0, 1, 2, 3].map((done) =>
      short(new Player().reply(conversation([script, ...Array(done).fill(STEP).flat()]))),
    );
    assert.deepEqual(played, [
      'Write a x',
      'next + Bash ls',
      'text Bye.\nReally.',
      'text Bye.\nReally.',
    ]);
  });

  it('says so when the script ends without a word', () => {
    const reply = new Player().reply(conversation([brief('run: ls'), ...STEP]));
    assert.equal(short(reply), 'text The rehearsal script is over.');
  });

  it('takes the newest script: a resumed or repaired session starts anew', () => {
    const turns = [brief('run: one', 'say: 1'), ...STEP, FINAL, brief('run: two', 'say: 2')];
    assert.equal(short(new Player().reply(conversation(turns))), 'Bash two');
    assert.equal(short(new Player().reply(conversation([...turns, ...STEP]))), 'text 2');
  });

  it('goes on through what the user says in the middle, and takes a script that comes there', () => {
    const play = (turns: Turn[]): string => short(new Player().reply(conversation(turns)));
    const turns = [brief('run: one', 'run: two', '---', 'run: three'), ...STEP];
    assert.equal(play([...turns, user('Hurry up.')]), 'Bash two');
    assert.equal(play([...turns, brief('run: other')]), 'Bash other');
  });

  it('plays the next round when the user speaks after a final answer', () => {
    const script = brief('run: one', 'say: done', '---', 'run: two', 'say: repaired');
    const first = [script, ...STEP, FINAL];
    const play = (turns: Turn[]): string => short(new Player().reply(conversation(turns)));
    assert.equal(play([script, ...STEP]), 'text done');
    assert.equal(play([...first, user('The gate failed.')]), 'Bash two');
    assert.equal(play([...first, user('The gate failed.'), ...STEP]), 'text repaired');
    assert.match(play([...first, user('no'), ...STEP, FINAL, user('again')]), /script is over/);
  });

  it('plays each fault once, in order, then the step; a retry sees the next', () => {
    const player = new Player();
    const turns = [brief('status 500', 'cut', 'run: one', 'html', 'run: two', 'empty', 'say: x')];
    const ask = (): string => short(player.reply(conversation(turns)));
    assert.deepEqual([ask(), ask(), ask(), ask()], ['status', 'cut', 'Bash one', 'Bash one']);
    turns.push(...STEP);
    assert.deepEqual([ask(), ask(), ask()], ['html', 'Bash two', 'Bash two']);
    turns.push(...STEP);
    assert.deepEqual([ask(), ask()], ['empty', 'text x']);
  });

  it('applies a manner to the next answer only, be it a fault or a step', () => {
    const player = new Player();
    const turns = [brief('hang 1s', 'status 500', 'slow 9 tok/s', 'thinking: hm', 'run: one')];
    const ask = (): [string, string[], string | null] => {
      const reply = player.reply(conversation(turns));
      return [short(reply), reply.manners.map((one) => one.kind), reply.answer.thinking];
    };
    assert.deepEqual(ask(), ['status', ['hang'], null]);
    assert.deepEqual(ask(), ['Bash one', ['slow', 'thinking'], 'hm']);
    assert.deepEqual(ask(), ['Bash one', [], null]);
  });

  it('keeps the faults of two sessions with the same brief apart', () => {
    const player = new Player();
    const turns = [brief('status 500', 'say: x')];
    const ask = (session: string): string => short(player.reply(conversation(turns, { session })));
    assert.deepEqual(
      [ask('a'), ask('b'), ask('a'), ask('b')],
      ['status', 'status', 'text x', 'text x'],
    );
  });

  it('plays the faults of a brief that is sent a second time in the same session', () => {
    const player = new Player();
    const script = brief('status 500', 'say: x');
    const ask = (turns: Turn[]): string => short(player.reply(conversation(turns)));
    assert.deepEqual([ask([script]), ask([script])], ['status', 'text x']);
    assert.equal(ask([script, FINAL, script]), 'status');
  });

  for (const kind of ['user', 'result'] as const) {
    it(`answers a request for a summary (${kind}) with the rest of the script, which then goes on`, () => {
      const player = new Player();
      const script = brief('run: one', 'status 500', 'run: two', '---', 'say: ```');
      const ask: Turn = { kind, text: 'ok\nCRITICAL: Respond with TEXT ONLY. Do NOT …' };
      const before = kind === 'result' ? [script, CALL] : [script, ...STEP];
      const summary = player.reply(conversation([...before, ask])).answer.text ?? '';
      const next = [user(`This session is being continued. ${summary}`)];
      assert.equal(short(player.reply(conversation(next))), 'status');
      assert.equal(short(player.reply(conversation(next))), 'Bash two');
      next.push(...STEP, FINAL, user('go on'));
      assert.equal(short(player.reply(conversation(next))), 'text ```');
    });
  }

  it('says plainly when there is no script, when it cannot be read, and when a tool is missing', () => {
    const say = (turns: Turn[], tools = TOOLS): string =>
      short(new Player().reply(conversation(turns, { tools })));
    assert.match(say([user('hello')]), /^text This is the rehearsal server. It has no model/);
    assert.match(say([]), /no model/);
    assert.match(say([brief('say: x', 'jump')]), /^text Line 2 .*"jump" is not an action.*Nothing/);
    assert.match(
      say([brief('say: x', 'edit a: b => c')]),
      /^text Line 2 .*\("edit"\).*does not offer \(it offers: Write, Bash, Read\)/,
    );
    assert.match(say([brief('run: x')], []), /it offers: none at all/);
  });

  it('calls a tool without a script only where the client asks for nothing but a call', () => {
    const [write] = TOOLS;
    assert.ok(write);
    const call = (rest: Partial<Conversation>, ...more: Turn[]): string | undefined =>
      new Player().reply(conversation([user('Call it.'), ...more], rest)).answer.call?.name;
    assert.equal(call({ tools: [write] }), 'Write');
    assert.equal(call({ tools: [write] }, ...STEP), undefined);
    assert.equal(call({ demandedTool: 'Bash' }), 'Bash');
    assert.equal(call({ demandedTool: true }), 'Write');
    assert.equal(call({}), undefined);
  });
});

describe('Player with recorded requests', () => {
  const script = '```rehearsal\nrun: one\nrun: two\nsay: Done.\n```';
  const withScript = <T>(body: T, prompt: string): T =>
    JSON.parse(JSON.stringify(body).replace(`"${prompt}"`, JSON.stringify(script))) as T;

  it('finds its place in a Claude Code request with a system message behind the result', () => {
    const body = withScript(claudeNew, 'create hello');
    assert.equal(short(new Player().reply(readMessagesRequest(body, null))), 'Bash two');
  });

  it('finds its place in one with a reminder beside the result', () => {
    const body = withScript(claudeOld, 'create hello');
    assert.equal(short(new Player().reply(readMessagesRequest(body, null))), 'Bash two');
  });

  it('finds its place in a Codex request', () => {
    const body = withScript(codex, 'write hello');
    assert.equal(short(new Player().reply(readResponsesRequest(body, null))), 'exec_command two');
  });

  it('does not play a script from a reminder, a folded system message or a tool result', () => {
    const reminder = `<system-reminder>\n${script}\n</system-reminder>`;
    const text = (one: string): object => ({ type: 'text', text: one });
    const folded = `<system>\n${script}\n</system>`;
    const messages = [
      { role: 'user', content: [text(reminder), text('Go.'), text(folded)] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: script }] },
      { role: 'system', content: script },
    ];
    const reply = new Player().reply(readMessagesRequest({ messages }, null));
    assert.match(short(reply), /It has no model/);
  });
});
