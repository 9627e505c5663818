import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endpointLimit } from '../../../../src/bridge/jobs/endpointLimit.ts';
import type { Backend } from '../../../../src/config/endpointSchema.ts';
import type { Locality } from '../../../../src/protocol/job.ts';

describe('endpointLimit', () => {
  const table: readonly (readonly [
    what: string,
    setting: number | 'auto',
    backend: Backend | null,
    slots: number | null,
    locality: Locality,
    limit: number | null,
  ])[] = [
    ['what was written', 3, 'vllm', 8, 'cloud', 3],
    ['the slots that it reports', 'auto', 'llama.cpp', 4, 'local', 4],
    ['one where nothing is known', 'auto', 'ollama', null, 'local', 1],
    ['one where it reports no slot', 'auto', 'llama.cpp', 0, 'local', 1],
    ['one where it was not asked', 'auto', null, null, 'lan', 1],
    ['none of vLLM, which batches', 'auto', 'vllm', null, 'local', null],
    ['none of a cloud', 'auto', 'openai', null, 'cloud', null],
    ['none of a gateway: its models have pools', 'auto', 'litellm', null, 'unknown', null],
    ['none of the other gateway', 'auto', 'bifrost', null, 'unknown', null],
  ];
  for (const [what, setting, backend, slots, locality, limit] of table) {
    it(what, () => {
      const probe =
        backend === null
          ? null
          : { backend, slots: slots === null ? null : { total: slots, busy: null } };
      const found = endpointLimit({
        entry: { max_concurrent: setting },
        place: { locality },
        probe,
      });
      assert.equal(found, limit);
    });
  }
});
