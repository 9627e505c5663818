import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BoundedCache } from '../../../../src/host/review/boundedCache.ts';

describe('a bounded cache', () => {
  it('never holds more than it may, and never a wrong value', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      weight: fc.nat({ max: 12 }),
      isRead: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new BoundedCache<number>(10);
        const last = new Map<string, { value: number; weight: number }>();
        for (const [value, { key, weight, isRead }] of steps.entries()) {
          if (isRead) {
            const found = cache.get(key);
            if (found !== undefined) assert.equal(found, last.get(key)?.value);
          } else {
            cache.set(key, value, weight);
            last.set(key, { value, weight });
            assert.equal(cache.get(key), weight > 10 ? undefined : value);
          }
        }
        const held = [...last].filter(([key]) => cache.get(key) !== undefined);
        const weight = held.reduce((sum, [, entry]) => sum + entry.weight, 0);
        assert.ok(weight <= 10, `${weight} of 10`);
      }),
    );
  });

  it('drops what was not asked for longest', () => {
    const cache = new BoundedCache<string>(2);
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    cache.get('a');
    cache.set('c', 'C', 1);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['A', undefined, 'C']);
  });
});
