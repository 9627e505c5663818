import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { claudeArgs, sessionTools } from '../../../../src/bridge/runners/claudeCode/claudeArgs.ts';
import { claudeEnd } from '../../../../src/bridge/runners/claudeCode/claudeEnd.ts';
import { claudeEnv } from '../../../../src/bridge/runners/claudeCode/claudeEnv.ts';
import type { ClaudeSession } from '../../../../src/bridge/runners/claudeCode/claudeSession.ts';
import {
  ClaudeMessageReader,
  type ClaudeResult,
} from '../../../../src/bridge/runners/claudeCode/readClaudeMessage.ts';
import type { RunnerEvent } from '../../../../src/bridge/runners/runner.ts';

const SESSION: ClaudeSession = {
  model: 'qwen',
  gatewayUrl: 'http://127.0.0.1:1/token',
  contextWindow: 131_072,
  maxOutputTokens: null,
  isReadOnly: false,
  isLocalOnly: false,
  permissionMode: 'acceptEdits',
  allowedTools: ['Read', 'Edit', 'Bash(git *)', 'WebFetch', 'Agent'],
  disallowedTools: ['Agent', 'Task'],
  settingSources: ['project', 'local'],
  maxTurns: 60,
  effort: null,
  systemPromptAppend: '',
  resumeSessionId: null,
  claudeConfigDir: '/state/claude',
  extraEnv: {},
  timeoutMs: 1000,
};

function play(name: string): { events: RunnerEvent[]; result: ClaudeResult | null } {
  const file = resolve(import.meta.dirname, '../../../fixtures/claudeCode', `${name}.jsonl`);
  const reader = new ClaudeMessageReader();
  const events: RunnerEvent[] = [];
  let result: ClaudeResult | null = null;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const message: unknown = JSON.parse(line);
    events.push(...reader.read(message));
    result = reader.readResult(message) ?? result;
  }
  return { events, result };
}

const exit = (result: ClaudeResult | null) => ({
  result,
  modelServed: null,
  exitCode: 0,
  signal: null,
  startError: null,
  lastStderr: [],
});
const result = (over: Partial<ClaudeResult>): ClaudeResult => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  ...over,
});

describe('the stream of Claude Code', () => {
  it('a recorded job: session, tool, claimed file, result', () => {
    const { events, result: ended } = play('ok');
    assert.ok(events.some((event) => event.type === 'session' && event.model === 'local-model'));
    assert.ok(events.some((event) => event.type === 'tool' && event.name === 'Write'));
    assert.deepEqual(
      events.filter((event) => event.type === 'file_claimed').map((event) => event.path),
      ['/home/dev/project/hello.txt'],
    );
    assert.equal(claudeEnd(exit(ended)).failure, null);
  });

  for (const [name, kind] of [
    ['e401', 'auth_failed'],
    ['ectx', 'context_overflow'],
  ] as const) {
    it(`a recorded failure (${name}) arrives as a success with is_error, and is a failure here`, () => {
      const { events, result: ended } = play(name);
      assert.equal(ended?.subtype, 'success');
      assert.equal(claudeEnd(exit(ended)).failure?.kind, kind);
      assert.ok(
        !events.some((event) => event.type === 'turn'),
        'the text of the error is no turn of the model',
      );
    });
  }

  it('messages that nobody knows say nothing and break nothing', () => {
    const reader = new ClaudeMessageReader();
    for (const message of [
      null,
      1,
      'x',
      [],
      {},
      { type: 'assistant' },
      { type: 'assistant', message: { content: 'text' } },
      { type: 'user', message: null },
    ]) {
      assert.deepEqual(reader.read(message), []);
      assert.equal(reader.readResult(message), null);
    }
  });
});

describe('claudeEnd', () => {
  const cases: [string, Partial<ClaudeResult>, string | null][] = [
    ['a report', {}, null],
    ['the turn limit', { subtype: 'error_max_turns', is_error: true, result: null }, 'incomplete'],
    ['an empty answer', { result: '  ' }, 'incomplete'],
    ['the output limit', { stop_reason: 'max_tokens' }, 'incomplete'],
    ['a refusal', { stop_reason: 'refusal' }, 'incomplete'],
    ['429', { is_error: true, api_error_status: 429 }, 'rate_limited'],
    ['403', { is_error: true, api_error_status: 403 }, 'auth_failed'],
    ['500', { is_error: true, api_error_status: 500 }, 'backend_error'],
    ['an error without a status', { is_error: true }, 'backend_error'],
    ['an unknown subtype', { subtype: 'error_during_execution', is_error: true }, 'backend_error'],
  ];
  for (const [name, over, kind] of cases) {
    it(name, () => assert.equal(claudeEnd(exit(result(over))).failure?.kind ?? null, kind));
  }
  it('zeros beside the words of an error are no counts: no model was heard', () => {
    const zeros = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };
    assert.equal(claudeEnd(exit(result({ is_error: true, usage: zeros }))).usage, null);
    const counted = claudeEnd(exit(result({ usage: { input_tokens: 5, output_tokens: 0 } }))).usage;
    assert.deepEqual(counted, { input: 5, output: 0, cacheRead: null, cacheWrite: null });
  });

  it('no result at all tells how the program ended', () => {
    const failure = claudeEnd({
      ...exit(null),
      signal: 'SIGKILL',
      exitCode: null,
      lastStderr: ['boom'],
    }).failure;
    assert.equal(failure?.kind, 'runner_failed');
    assert.match(failure?.message ?? '', /SIGKILL.*boom/);
  });
});

describe('the session of Claude Code', () => {
  it('has only the tools that it was given; WebFetch and WebSearch fall away under local-only, all but reading when read-only', () => {
    assert.deepEqual(sessionTools(SESSION), ['Read', 'Edit', 'Bash(git *)', 'WebFetch']);
    assert.deepEqual(sessionTools({ ...SESSION, isLocalOnly: true }), [
      'Read',
      'Edit',
      'Bash(git *)',
    ]);
    assert.deepEqual(sessionTools({ ...SESSION, isReadOnly: true }), ['Read', 'Glob', 'Grep']);
  });

  it('never reads MCP servers of the project, and holds no address or token in its arguments', () => {
    const args = claudeArgs(SESSION, '/job/settings.json');
    assert.ok(args.includes('--strict-mcp-config'));
    assert.ok(
      !args.some((argument) => argument.includes('127.0.0.1') || argument.includes('token')),
    );
    assert.equal(args[args.indexOf('--tools') + 1], 'Read,Edit,Bash,WebFetch');
  });

  it('always knows a window: an unknown model would be given a million tokens', () => {
    assert.equal(
      claudeEnv({ ...SESSION, contextWindow: null })['CLAUDE_CODE_MAX_CONTEXT_TOKENS'],
      '65536',
    );
    assert.equal(
      claudeEnv({ ...SESSION, contextWindow: 32_768 })['CLAUDE_CODE_MAX_OUTPUT_TOKENS'],
      '8192',
    );
    assert.equal(claudeEnv(SESSION)['CLAUDE_CODE_MAX_OUTPUT_TOKENS'], undefined);
  });

  it('an endpoint’s own environment cannot point the session elsewhere', () => {
    const env = claudeEnv({
      ...SESSION,
      extraEnv: { ANTHROPIC_BASE_URL: 'http://elsewhere', MY_FLAG: '1' },
    });
    assert.equal(env['ANTHROPIC_BASE_URL'], SESSION.gatewayUrl);
    assert.equal(env['MY_FLAG'], '1');
  });
});
