import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { PREFIX_TURNS, prefixRun } from '../../support/prefixRuns.ts';
import { itWithLlama } from '../llama/withLlama.ts';

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

describe('prompt tokens that a real llama-server processes', function () {
  this.timeout(240_000);

  itWithLlama(
    'are far fewer with rare large evictions than with one in every turn',
    async (binary) => {
      const ours = await prefixRun(binary, 'steps');
      const rolling = await prefixRun(binary, 'rolling');
      const figures = JSON.stringify({ ours, rolling });
      assert.equal(ours.processed.length, PREFIX_TURNS);
      assert.ok(
        ours.prompts.every((tokens) => tokens < 16_384),
        figures,
      );
      assert.ok(sum(ours.processed) < 0.6 * sum(rolling.processed), figures);
      // All turns but those in which room is made cost what is new in them.
      const dear = ours.processed.filter((tokens) => tokens > 2_500);
      assert.ok(dear.length <= 5, figures);
    },
  );
});
