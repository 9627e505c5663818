import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JOB_STATUSES, type JobRecord } from '../../../src/protocol/job.ts';
import { delegateLocalResult } from '../../../src/server/delegateLocalResult.ts';
import { sampleJob } from '../protocol/sampleJob.ts';

/** Fields of a result of delegate-local, and those that its newer versions add. */
const FIELDS =
  'success final_response agent_name agent_source model workdir turns max_turns tool_calls malformed_calls deduped_calls evicted_tool_results nudges resumed_after_nudge elapsed_s tokens_in tokens_out cache_read_tokens cache_creation_tokens cache_hit_pct stop_reason hit_turn_limit incomplete bash_calls bash_failures last_bash_exit response_model fallback_note failed_over_from model_used error timeout_scope turn_failed';

const ASKED = { agentName: 'coder', workdir: '/w', model: 'qwen', maxTurns: 25 };
const failure = (kind: string) => ({ kind, message: 'It went wrong.', hint: 'Mend it.' });
const routedTo = (model: string): Partial<JobRecord> => ({
  route: { rule: 'model-exact', considered: [{ endpoint: 'tower', model, reason: null }] },
});

function result(changes: Partial<JobRecord>, models = {}): Record<string, unknown> {
  return delegateLocalResult(ASKED, sampleJob(changes), models);
}

describe('delegateLocalResult', () => {
  it('has the same fields for every ending, and a text in error exactly when it is no success', () => {
    const changes = fc.record({
      status: fc.constantFrom(...JOB_STATUSES),
      failure: fc.constantFrom(null, failure('incomplete'), failure('timeout')),
      startedAt: fc.constantFrom(null, '2026-11-29T12:00:00.000Z'),
      result: fc.constantFrom(null, 'text'),
    });
    const names = Object.keys(result({ status: 'done' })).sort();
    for (const field of FIELDS.split(' ')) assert.ok(names.includes(field), field);
    fc.assert(
      fc.property(changes, (change) => {
        const found = result(change);
        assert.deepEqual(Object.keys(found).sort(), names);
        assert.equal(found['success'], change.status === 'done');
        assert.equal(typeof found['error'] === 'string', found['success'] === false);
        assert.notEqual(found['error'], '');
        assert.equal(found['final_response'], change.result);
      }),
    );
    const without = delegateLocalResult(ASKED, null, {}, failure('unknown_agent'));
    assert.deepEqual(Object.keys(without).sort(), names);
    assert.equal(without['error'], 'It went wrong. Mend it.');
    assert.equal(without['tokens_in'], null);
  });

  it('what nobody reported is null, never 0', () => {
    const found = result({ status: 'done' });
    for (const name of [
      'tokens_in',
      'tokens_out',
      'cache_read_tokens',
      'cache_hit_pct',
      'turns',
      'last_bash_exit',
      'malformed_calls',
      'nudges',
      'response_model',
    ])
      assert.equal(found[name], null, name);
  });

  const rows: [string, Partial<JobRecord>, Record<string, unknown>][] = [
    [
      'a success',
      {
        status: 'done',
        result: 'Done.',
        elapsedS: 1.26,
        turns: 3,
        agent: { name: 'coder', source: 'global' },
        commands: { run: 2, failed: 1, lastExit: 1 },
        usage: { input: 10, output: 4, cacheRead: 20, cacheWrite: 10 },
        stopReason: 'end_turn',
      },
      {
        success: true,
        error: null,
        final_response: 'Done.',
        elapsed_s: 1.3,
        turns: 3,
        agent_source: 'global',
        bash_calls: 2,
        bash_failures: 1,
        last_bash_exit: 1,
        tokens_in: 10,
        cache_hit_pct: 50,
        incomplete: false,
        hit_turn_limit: false,
        turn_failed: null,
        timeout_scope: null,
      },
    ],
    [
      'the turn limit keeps the text of the model',
      {
        status: 'failed',
        failure: failure('incomplete'),
        stopReason: 'turn_limit_pending_tools',
        result: 'Half of it.',
        turns: 25,
      },
      {
        success: false,
        incomplete: true,
        hit_turn_limit: true,
        final_response: 'Half of it.',
        error: 'It went wrong. Mend it.',
        error_kind: 'incomplete',
        turn_failed: null,
      },
    ],
    [
      'an error of the server keeps turns and tokens',
      {
        status: 'failed',
        failure: failure('backend_error'),
        turns: 20,
        usage: { input: 5, output: 6, cacheRead: null, cacheWrite: null },
      },
      {
        success: false,
        incomplete: false,
        turns: 20,
        turn_failed: 20,
        tokens_in: 5,
        cache_hit_pct: null,
      },
    ],
    [
      'a time-out',
      { status: 'timeout', failure: failure('timeout') },
      { success: false, timeout_scope: 'dispatch' },
    ],
    [
      'a call that ended before its job',
      { status: 'running' },
      { success: false, error_kind: 'timeout', timeout_scope: null },
    ],
  ];
  for (const [what, changes, expected] of rows) {
    it(what, () => {
      const found = result(changes);
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])),
        expected,
      );
    });
  }

  const notes: [string, Partial<JobRecord>, Record<string, { answers_as: string[] }>, unknown][] = [
    ['the same model', { modelServed: 'QWEN-3', ...routedTo('qwen-3') }, {}, null],
    [
      'another one',
      { modelServed: 'glm-5', ...routedTo('qwen-3') },
      {},
      'answered_by: glm-5 (requested qwen-3)',
    ],
    [
      'an alias of a gateway',
      { modelServed: 'upstream/Qwen', ...routedTo('qwen-3') },
      { 'qwen-*': { answers_as: ['upstream/qwen'] } },
      null,
    ],
    ['a server that names no model', { modelServed: null, ...routedTo('qwen-3') }, {}, null],
    [
      'a failover',
      {
        modelServed: 'glm-5',
        ...routedTo('qwen-3'),
        fallback: { from: 'qwen-3', to: 'glm-5', reason: 'pool_full' },
      },
      {},
      'answered_by: glm-5 (requested qwen-3)',
    ],
  ];
  for (const [what, changes, models, expected] of notes) {
    it(`fallback_note of ${what}`, () => {
      const found = result({ status: 'done', ...changes }, models);
      assert.equal(found['fallback_note'], expected);
      assert.equal(found['failed_over_from'], changes.fallback?.from ?? null);
      assert.equal(found['model_used'], changes.fallback?.to ?? 'qwen-3');
    });
  }
});
