import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chainOf } from '../../../src/config/chainOf.ts';

describe('chainOf', () => {
  const chains = { 'glm-*': ['by glob'], 'glm-5*': ['by longer glob'], 'GLM-5-Think': ['by name'] };
  const table: readonly (readonly [model: string, chain: readonly string[]])[] = [
    ['glm-5-think', ['by name']],
    ['GLM-5-Flash', ['by longer glob']],
    ['glm-4', ['by glob']],
    ['glm', []],
    ['my-glm-4', []],
    ['', []],
  ];
  for (const [model, chain] of table) {
    it(`of "${model}"`, () => assert.deepEqual(chainOf(chains, model), chain));
  }
});
