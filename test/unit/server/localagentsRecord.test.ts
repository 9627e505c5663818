import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { JOB_STATUSES } from '../../../src/protocol/job.ts';
import { LOCALAGENTS_STATUS, localagentsRecord } from '../../../src/server/localagentsRecord.ts';
import { sampleJob } from '../protocol/sampleJob.ts';

/** Fields of a summary of localagents. */
const FIELDS =
  'id task model endpoint base_url cwd run_cwd isolation status created_at started_at finished_at session_id result error num_turns tool_calls usage files_touched worktree last_activity log_dir dump context metrics elapsed_s';

describe('localagentsRecord', () => {
  it('has every field of its summaries', () => {
    const record = localagentsRecord(sampleJob(), '/state');
    for (const field of FIELDS.split(' ')) assert.ok(field in record, field);
  });

  it('maps every status', () => {
    assert.deepEqual(
      JOB_STATUSES.map((status) => LOCALAGENTS_STATUS[status]),
      [
        'queued',
        'running',
        'running',
        'running',
        'succeeded',
        'failed',
        'timeout',
        'cancelled',
        'failed',
        'failed',
      ],
    );
  });

  it('unknown is null, times are seconds, long briefs are cut', () => {
    const record = localagentsRecord(
      sampleJob({ task: 'x'.repeat(300), elapsedS: 1.26 }),
      '/state',
    );
    assert.equal(record['model'], null, 'what was asked for is not what answered');
    assert.equal(record['usage'], null);
    assert.equal(record['created_at'], Date.parse('2026-11-29T12:00:00Z') / 1000);
    assert.equal(record['task'], `${'x'.repeat(300)}…`);
    assert.equal(record['elapsed_s'], 1.3);
    assert.equal(record['log_dir'], `/state/jobs/${sampleJob().id}`);
  });

  it('a failure is one text', () => {
    const failure = { kind: 'timeout', message: 'Took too long.', hint: '' };
    assert.equal(
      localagentsRecord(sampleJob({ status: 'timeout', failure }), '/state')['error'],
      'timeout: Took too long.',
    );
  });
});
