import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { jobProvenance } from '../../../src/protocol/mcpProvenance.ts';
import { sampleGate, sampleJob } from './sampleJob.ts';

const PLACE = 'tower (local, http://127.0.0.1:8080)';
const ASKED = 'asked for qwen · rule model-exact';

const CASES: readonly [string, Partial<JobRecord>, string][] = [
  [
    'answered, gate passed',
    {
      status: 'done',
      modelServed: 'qwen3.8-27b',
      proof: { requests: 3, endpoint: 'tower' },
      gate: sampleGate(),
    },
    `Answered by qwen3.8-27b at ${PLACE} · ${ASKED} · no fallback · gate tests passed`,
  ],
  [
    'a model that does not say its name is not the one asked for',
    { status: 'done', proof: { requests: 1, endpoint: 'tower' } },
    `Answered by a model that did not say its name at ${PLACE} · ${ASKED} · no fallback · no gate`,
  ],
  [
    'without proof it says so',
    { status: 'done', modelServed: 'gpt' },
    `Answered by gpt at ${PLACE} (not proven: its requests do not pass through the bridge) · ${ASKED} · no fallback · no gate`,
  ],
  [
    'nobody yet',
    {},
    `No model has answered yet: started for ${PLACE} · ${ASKED} · no fallback · no gate`,
  ],
  [
    'nobody, for good',
    { status: 'failed' },
    `No model answered: failed at ${PLACE} · ${ASKED} · no fallback · no gate`,
  ],
  [
    'requests that brought only errors are no answer',
    { status: 'failed', proof: { requests: 2, endpoint: 'tower' } },
    `No model answered: failed at ${PLACE} · ${ASKED} · no fallback · no gate`,
  ],
  [
    'refused',
    {
      status: 'refused',
      endpoint: null,
      baseUrl: null,
      locality: null,
      route: null,
      modelRequested: null,
    },
    'No model answered: refused at no endpoint · no model was named · rule none · no fallback · no gate',
  ],
  [
    'a fallback and a gate on other content cannot be overlooked',
    {
      status: 'done',
      modelServed: 'm',
      locality: 'unknown',
      proof: { requests: 1, endpoint: 'tower' },
      fallback: { from: 'a', to: 'b', reason: 'pool_full' },
      gate: sampleGate({ covers: 'merged' }),
      tampered: ['hooks'],
    },
    'Answered by m at tower (place unknown, http://127.0.0.1:8080) · asked for qwen · rule model-exact · FALLBACK from a to b: pool_full · gate tests passed on content merged since · the job touched the repository itself, which was put back',
  ],
];

describe('jobProvenance', () => {
  for (const [name, changes, expected] of CASES) {
    it(name, () => assert.equal(jobProvenance(sampleJob(changes)), expected));
  }
});
