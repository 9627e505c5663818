import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { limitsOfPlace } from '../../../../src/bridge/jobs/limitsOf.ts';
import { effectiveConfig } from '../../../../src/config/effectiveConfig.ts';
import type { ModelsFile } from '../../../../src/config/schema.ts';
import type { Locality } from '../../../../src/protocol/job.ts';

const GB = 1024 ** 3;
const config = effectiveConfig(
  parse(`
endpoints:
  lane1: { base_url: "http://gate:4000/a", max_concurrent: 2 }
  lane2: { base_url: "http://gate:4000/b", max_concurrent: 6 }
  lane3: { base_url: "http://gate:4000/c" }
  alone: { base_url: "http://gate:4001", max_concurrent: 1, memory_floor_gb: 8 }
pools: { glm-: { slots: 6 } }
`) as ModelsFile,
  [],
);

function limits(
  endpoint: string | null,
  over: { limit?: number | null; locality?: Locality; model?: string } = {},
) {
  return limitsOfPlace(
    {
      endpoint,
      model: over.model ?? 'glm-5',
      locality: over.locality ?? 'local',
      poolSlots: 9,
      endpointLimit: over.limit === undefined ? 3 : over.limit,
      exclusiveGroup: 'old',
    },
    config,
    () => 4 * GB,
  );
}

describe('the limits of a place', () => {
  it('entries with one host and port count together, up to the most generous of them', () => {
    for (const [endpoint, own] of [
      ['lane1', 2],
      ['lane2', 6],
      ['lane3', 3],
    ] as const) {
      const { endpointLimit, server, serverLimit } = limits(endpoint);
      assert.deepEqual([endpointLimit, server, serverLimit], [own, 'gate:4000', 6], endpoint);
    }
  });

  it('an entry of its own, and one without a limit, have only their own', () => {
    assert.deepEqual([limits('alone').server, limits('alone').serverLimit], [null, null]);
    const elastic = limits('lane3', { limit: null });
    assert.deepEqual([elastic.endpointLimit, elastic.serverLimit], [null, null]);
  });

  it('what the configuration no longer names keeps the size that it had', () => {
    const gone = limits('gone', { model: 'other' });
    assert.deepEqual(
      [gone.pool, gone.poolSlots, gone.endpointLimit, gone.exclusiveGroup],
      ['default', 6, 3, 'old'],
    );
    assert.equal(limits('alone').exclusiveGroup, null, 'and one that is named has what it says');
  });

  it('memory counts only where this machine serves', () => {
    assert.equal(limits('alone').isMemoryShort, true);
    assert.equal(limits('alone', { locality: 'lan' }).isMemoryShort, false);
    assert.equal(limits(null).isMemoryShort, false);
  });
});
