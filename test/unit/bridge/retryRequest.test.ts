import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { StoredJob } from '../../../src/bridge/jobs/jobRow.ts';
import { retryRequest } from '../../../src/bridge/retryJob.ts';
import type { JobRecord, JobRequest } from '../../../src/protocol/job.ts';
import { sampleJob } from '../protocol/sampleJob.ts';

const ASKED: JobRequest = {
  task: 'Do it',
  model: 'qwen',
  endpoint: 'tower',
  gate: 'tests',
  from: 'working-tree',
  maxTurns: 7,
  resumeJob: 'an-earlier-one',
  cancelWithClient: true,
};

function stored(record: Partial<JobRecord> = {}, request: JobRequest = ASKED): StoredJob {
  return {
    record: sampleJob({ cwd: process.cwd(), isolation: 'worktree', readOnly: false, ...record }),
    spec: { request },
  } as StoredJob;
}

describe('retryRequest', () => {
  it('asks for the same again, in a session of its own', () => {
    assert.deepEqual(retryRequest(stored(), {}), {
      task: 'Do it',
      model: 'qwen',
      endpoint: 'tower',
      gate: 'tests',
      from: 'working-tree',
      maxTurns: 7,
      cwd: process.cwd(),
      isolation: 'worktree',
    });
  });

  it('a provider that the call named goes with the job, but not with one that runs elsewhere', () => {
    const provider = { url: 'https://api.example', model: 'm' };
    const job = stored({}, { task: 'x', provider, endpoint: 'provider:api.example', model: 'm' });
    assert.deepEqual(retryRequest(job, {}).provider, provider);
    const moved = retryRequest(job, { endpoint: 'tower' });
    assert.deepEqual(
      [moved.provider, moved.model, moved.endpoint],
      [undefined, undefined, 'tower'],
    );
    const other = retryRequest(job, { model: 'qwen' });
    assert.deepEqual([other.provider, other.model, other.endpoint], [undefined, 'qwen', undefined]);
  });

  const elsewhere: [string, Parameters<typeof retryRequest>[1], Partial<JobRequest>][] = [
    ['another endpoint keeps the model', { endpoint: 'far' }, { model: 'qwen', endpoint: 'far' }],
    ['another model is not bound to the endpoint', { model: 'glm' }, { model: 'glm' }],
    [
      'both and a policy',
      { model: 'glm', endpoint: 'far', policy: 'any' },
      { model: 'glm', endpoint: 'far', policy: 'any' },
    ],
  ];
  for (const [what, options, expected] of elsewhere) {
    it(what, () => {
      const { model, endpoint, policy } = retryRequest(stored(), options);
      const found = { model, endpoint, policy };
      assert.deepEqual(
        Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
        expected,
      );
    });
  }

  it('keeps what the record says where the request left it open', () => {
    const request = retryRequest(stored({ isolation: 'none', readOnly: true }, { task: 'x' }), {});
    assert.deepEqual([request.isolation, request.readOnly], ['none', true]);
  });

  it('a folder that is gone is said by name', () => {
    assert.throws(() => retryRequest(stored({ cwd: '/no/such/folder' }), {}), {
      kind: 'bad_argument',
      message: /\/no\/such\/folder/,
    });
  });
});
