import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stepsDone } from '../../../../src/host/start/stepsDone.ts';

type Jobs = Parameters<typeof stepsDone>[1];
type Endpoints = Parameters<typeof stepsDone>[0];

const endpoint = (source: string): Endpoints[number] => ({
  ...{ name: 'tower', baseUrl: 'http://127.0.0.1:8080', source },
});
const job = (
  status: Jobs[number]['status'],
  review: Jobs[number]['review']['status'] = 'pending',
): Jobs[number] => ({ status, review: { status: review } });

describe('stepsDone', () => {
  const table: [
    name: string,
    endpoints: Endpoints,
    jobs: Jobs,
    hasSeen: boolean,
    steps: readonly string[],
  ][] = [
    ['nothing', [], [], false, []],
    ['an endpoint that is only guessed', [endpoint('default')], [], false, []],
    ['a registered endpoint', [endpoint('/c/models.local.yaml')], [], false, ['hasEndpoint']],
    ['one of a variable', [endpoint('$DELEGATE_LOCAL_URL')], [], false, ['hasEndpoint']],
    ['a job that waits or failed', [], [job('queued'), job('failed'), job('lost')], true, []],
    ['a job that is done', [], [job('done')], false, ['hasRunJob']],
    ['and was looked at', [], [job('done')], true, ['hasRunJob', 'hasReviewed']],
    ['looked at once, but all jobs are gone', [], [], true, []],
    [
      'accepted, never looked at in this window',
      [],
      [job('done', 'accepted')],
      false,
      ['hasRunJob', 'hasReviewed', 'hasAccepted'],
    ],
    ['accepted in part', [], [job('failed', 'partly')], false, ['hasReviewed', 'hasAccepted']],
    ['rejected', [], [job('done', 'rejected')], false, ['hasRunJob', 'hasReviewed']],
    ['put aside', [], [job('done', 'abandoned')], false, ['hasRunJob']],
  ];
  for (const [name, endpoints, jobs, hasSeen, steps] of table) {
    it(`${name}: ${steps.join(', ') || 'no step'}`, () => {
      const done = stepsDone(endpoints, jobs, hasSeen);
      assert.deepEqual(
        Object.entries(done).flatMap(([step, isDone]) => (isDone ? [step] : [])),
        steps,
      );
    });
  }
});
