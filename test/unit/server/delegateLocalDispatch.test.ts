import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { modelsFileSchema } from '../../../src/config/schema.ts';
import type { EffectiveConfig } from '../../../src/config/schema.ts';
import type { JobRecord, JobRequest } from '../../../src/protocol/job.ts';
import {
  type DelegateLocalCall,
  finishDispatches,
  startDispatch,
} from '../../../src/server/delegateLocalDispatch.ts';
import type { ToolContext } from '../../../src/server/tool.ts';
import { sampleJob } from '../protocol/sampleJob.ts';
import { bridgeDouble } from './bridgeDouble.ts';

const SETTINGS = modelsFileSchema.parse({
  defaults: { model: 'base' },
  runners: { loop: { coding_model: 'code', max_turns: 20, dispatch_timeout_s: 1234 } },
}) as EffectiveConfig;

function context(told: Parameters<typeof bridgeDouble>[0]): ToolContext {
  return {
    bridge: bridgeDouble(told),
    caller: { kind: 'agent', name: 'claude-code', session: null, pid: null },
    defaultCwd: '/project',
    now: () => new Date(),
    signal: new AbortController().signal,
    reportProgress: () => undefined,
    reportText: () => undefined,
    onAbandoned: (work) => void work,
  };
}

async function requestOf(call: Partial<DelegateLocalCall>): Promise<JobRequest> {
  const requests: JobRequest[] = [];
  const submit = async (request: JobRequest): Promise<JobRecord> => {
    requests.push(request);
    return sampleJob();
  };
  await startDispatch({ agent_name: 'coder', task: 'x', ...call }, SETTINGS, context({ submit }));
  const [request] = requests;
  assert.ok(request !== undefined);
  return request;
}

describe('startDispatch', () => {
  const rows: [string, Partial<DelegateLocalCall>, Partial<JobRequest>][] = [
    [
      'nothing given: in place, with the limits of the loop',
      {},
      {
        runner: 'loop',
        agent: 'coder',
        isolation: 'none',
        cwd: '/project',
        maxTurns: 20,
        timeoutS: 1234,
        model: 'code',
      },
    ],
    ['an agent that does not code', { agent_name: 'scribe' }, { model: 'base' }],
    ['the default model, named: it is not replaced', { model: 'base' }, { model: 'base' }],
    ['another model', { model: 'other' }, { model: 'other' }],
    ['a folder below', { workdir: 'sub' }, { cwd: '/project/sub' }],
    ['an absolute folder', { workdir: '/else' }, { cwd: '/else' }],
    ['0 turns', { max_turns: 0 }, { maxTurns: 20 }],
    ['few turns', { max_turns: 3 }, { maxTurns: 3 }],
    ['more turns than there may be', { max_turns: 100 }, { maxTurns: 40 }],
    ['a negative number of turns', { max_turns: -5 }, { maxTurns: 20 }],
    ['tokens', { max_tokens: 100.7 }, { maxTokens: 100 }],
    [
      'a provider with a key',
      { model: 'm', provider: { url: 'http://h', key: 'sk-1', modeTag: 'MODE:LOCAL' } },
      { provider: { url: 'http://h', model: 'm', literalKey: 'sk-1' } },
    ],
    [
      'a provider with a reference and a tag',
      { model: 'm', provider: { url: 'http://h', key: '${env:K}', modeTag: 'MODE:X' } },
      {
        provider: { url: 'http://h', model: 'm', apiKey: '${env:K}' },
        systemPromptAppend: 'MODE:X',
      },
    ],
    [
      'a provider without a key',
      { model: 'm', provider: { url: 'http://h', key: '', modeTag: 'MODE:LOCAL' } },
      { provider: { url: 'http://h', model: 'm' } },
    ],
  ];
  for (const [what, call, expected] of rows) {
    it(what, async () => {
      const request = await requestOf(call);
      for (const [name, value] of Object.entries(expected))
        assert.deepEqual(request[name as keyof JobRequest], value, name);
    });
  }

  for (const tokens of [0, -1, null]) {
    it(`max_tokens ${tokens} counts as not given`, async () => {
      assert.ok(!('maxTokens' in (await requestOf({ max_tokens: tokens }))));
    });
  }

  it('a call that cannot be taken is its result, and no exception', async () => {
    const submit = async (): Promise<JobRecord> => {
      throw new BridgeError('unknown_agent', 'There is no agent.', { hint: 'There are: x.' });
    };
    const started = await startDispatch(
      { agent_name: 'nobody', task: 'x' },
      SETTINGS,
      context({ submit }),
    );
    const [result] = await finishDispatches([started], SETTINGS, context({ submit }), 1000);
    assert.equal(result?.['success'], false);
    assert.equal(result['error'], 'There is no agent. There are: x.');
    assert.equal(result['agent_name'], 'nobody');
  });
});

describe('finishDispatches', () => {
  it('takes a job out of the queue that found no slot in time, and lets one that runs run', async () => {
    const waiting = sampleJob({ id: 'a', status: 'queued', startedAt: null });
    const jobs = new Map([
      ['a', waiting],
      ['b', sampleJob({ id: 'b', status: 'running' })],
    ]);
    let end: () => void = () => undefined;
    const told = {
      job: (id: string) => jobs.get(id) ?? assert.fail(id),
      wait: async () => {
        await new Promise<void>((resolve) => (end = resolve));
        return { finished: [...jobs.values()], pending: [], isTimedOut: false };
      },
      cancel: async (id: string) => {
        const cancelled = sampleJob({ id, status: 'cancelled', startedAt: null });
        jobs.set(id, cancelled);
        jobs.set('b', sampleJob({ id: 'b', status: 'done', result: 'ok' }));
        end();
        return cancelled;
      },
    };
    const asked = { agentName: 'x', workdir: '/w', model: null, maxTurns: 1 };
    const results = await finishDispatches(
      [...jobs.values()].map((job) => ({ asked, job, trouble: null })),
      SETTINGS,
      context(told),
      5,
    );
    assert.deepEqual(
      results.map((result) => [result['success'], result['timeout_scope']]),
      [
        [false, 'provider_queue'],
        [true, null],
      ],
    );
    assert.match(String(results[0]?.['error']), /No slot became free/);
  });
});
