import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelForAgent } from '../../../../src/bridge/agents/modelForAgent.ts';

const CASES: readonly [
  agent: string | null,
  requested: string | null,
  defaultModel: string,
  codingModel: string,
  expected: readonly [model: string | null, rule: string],
][] = [
  ['coder', null, 'small', 'big', ['big', 'coding-model']],
  ['CODER', null, 'small', 'big', ['big', 'coding-model']],
  ['security', null, '', 'big', ['big', 'coding-model']],
  ['reviewer', null, 'small', 'big', ['small', 'default-model']],
  [null, null, 'small', 'big', ['small', 'default-model']],
  ['coder', null, 'small', '', ['small', 'default-model']],
  ['coder', null, '', '', [null, 'first-served']],
  // A name that is given stays, also when it is that of the default model.
  ['coder', 'small', 'small', 'big', ['small', 'call']],
  ['coder', 'other', 'small', 'big', ['other', 'call']],
];

describe('modelForAgent', () => {
  for (const [agent, requested, model, coding_model, [wanted, rule]] of CASES) {
    it(JSON.stringify([agent, requested, model, coding_model]), () =>
      assert.deepEqual(
        modelForAgent(agent, requested, {
          defaults: { model },
          runners: { loop: { coding_model } },
        }),
        { model: wanted, rule },
      ),
    );
  }
});
