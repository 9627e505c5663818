import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  decideQueue,
  MAX_PASSES,
  type LiveJob,
  type WaitingJob,
} from '../../../../src/bridge/jobs/decideQueue.ts';
import type { JobLimits } from '../../../../src/bridge/jobs/jobLimits.ts';
import { failoverTurn } from '../../../../src/bridge/routing/failoverTurn.ts';

const POOL_SLOTS: Readonly<Record<string, number>> = { a: 2, b: 3 };
const ENDPOINT_SLOTS: Readonly<Record<string, number | null>> = { e1: 1, e2: 2, e3: null };
const SERVER_SLOTS = 2;
const SETTINGS = { primaryWaitMs: 1_000, graceMs: 2_000 };

interface Plan {
  readonly limits: JobLimits;
  readonly standIns: readonly JobLimits[];
  readonly runsFor: number;
  readonly arrivesAfter: number;
}

const place = fc
  .record({
    pool: fc.constantFrom('a', 'b'),
    endpoint: fc.constantFrom('e1', 'e2', 'e3'),
    isGrouped: fc.boolean(),
  })
  .map(({ pool, endpoint, isGrouped }): JobLimits => ({
    pool,
    poolSlots: POOL_SLOTS[pool] ?? 0,
    endpoint,
    model: pool,
    endpointLimit: ENDPOINT_SLOTS[endpoint] ?? null,
    // e1 and e2 are two entries for one address.
    server: endpoint === 'e3' ? null : 's',
    serverLimit: endpoint === 'e3' ? null : SERVER_SLOTS,
    exclusiveGroup: isGrouped && endpoint !== 'e3' ? 'g' : null,
    isMemoryShort: false,
  }));
const plan: fc.Arbitrary<Plan> = fc.record({
  limits: place,
  standIns: fc.array(place, { maxLength: 2 }),
  runsFor: fc.integer({ min: 1, max: 6 }),
  arrivesAfter: fc.integer({ min: 0, max: 2 }),
});

class Queue {
  readonly started = new Map<string, number>();
  readonly #waiting: (WaitingJob & { plan: Plan; sinceMs: number | null })[] = [];
  #live: (LiveJob & { endsAt: number })[] = [];
  #nowS = 0;

  add(id: string, job: Plan): void {
    this.#waiting.push({
      id,
      limits: job.limits,
      passedBy: 0,
      standIn: null,
      plan: job,
      sinceMs: null,
    });
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get live(): readonly LiveJob[] {
    return this.#live;
  }

  /** One second: who has run long enough ends, then a round of admission. */
  tick(): void {
    this.#nowS += 1;
    this.#live = this.#live.filter((job) => job.endsAt > this.#nowS);
    const waiting = this.#waiting.map((job) => {
      const turn =
        job.sinceMs === null
          ? null
          : failoverTurn(this.#nowS * 1000 - job.sinceMs, SETTINGS, job.plan.standIns.length);
      const limits = turn === null ? undefined : job.plan.standIns[turn];
      const insteadOf = new Set(['pool_full' as const]);
      return { ...job, standIn: limits === undefined ? null : { limits, insteadOf } };
    });
    const decision = decideQueue(waiting, this.#live, new Map());
    for (const { id, standsInFor } of decision.admit) {
      const job = waiting.find((each) => each.id === id);
      assert.ok(job);
      const limits = standsInFor === null ? job.limits : job.standIn?.limits;
      assert.ok(limits);
      this.started.set(id, this.#nowS);
      this.#live.push({ id, limits, endsAt: this.#nowS + job.plan.runsFor });
    }
    const left = waiting.filter(({ id }) => decision.waiting.has(id));
    this.#waiting.splice(
      0,
      this.#waiting.length,
      ...left.map((job) => ({
        ...job,
        sinceMs: job.sinceMs ?? this.#nowS * 1000,
        passedBy: job.passedBy + (decision.passed.get(job.id) ?? 0),
      })),
    );
    for (const job of this.#waiting) assert.ok(job.passedBy <= MAX_PASSES + 8, `${job.id} starves`);
  }
}

function assertLimits(live: readonly LiveJob[]): void {
  const count = (isSame: (limits: JobLimits) => boolean): number =>
    live.filter(({ limits }) => isSame(limits)).length;
  for (const [pool, slots] of Object.entries(POOL_SLOTS))
    assert.ok(count((limits) => limits.pool === pool) <= slots, `pool ${pool}`);
  for (const [endpoint, slots] of Object.entries(ENDPOINT_SLOTS))
    assert.ok(count((limits) => limits.endpoint === endpoint) <= (slots ?? Infinity), endpoint);
  assert.ok(count((limits) => limits.server === 's') <= SERVER_SLOTS, 'server');
  const grouped = live.filter(({ limits }) => limits.exclusiveGroup === 'g');
  assert.ok(new Set(grouped.map(({ limits }) => limits.endpoint)).size <= 1, 'group');
}

describe('the queue over time', () => {
  it('no limit is ever exceeded, every job starts, and equals start in the order in which they came', () => {
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 40 }), (plans) => {
        const queue = new Queue();
        for (const [index, each] of plans.entries()) {
          for (let n = 0; n < each.arrivesAfter; n += 1) queue.tick();
          queue.add(`j${index}`, each);
          assertLimits(queue.live);
        }
        for (let n = 0; !queue.isEmpty; n += 1) {
          assert.ok(n < plans.length * 8 + 10, 'somebody never starts');
          queue.tick();
          assertLimits(queue.live);
        }
        const byPlace = new Map<string, number>();
        for (const [index, each] of plans.entries()) {
          const key = JSON.stringify([each.limits, each.standIns.length > 0 ? index : 0]);
          const at = queue.started.get(`j${index}`) ?? Infinity;
          assert.ok(at >= (byPlace.get(key) ?? 0), `j${index} passed its twin`);
          byPlace.set(key, at);
        }
      }),
    );
  });

  it('a job that needs two places which are never free together is not passed for ever', () => {
    const base = { isMemoryShort: false, server: null, serverLimit: null, exclusiveGroup: null };
    const one = (over: Partial<JobLimits>, runsFor: number): Plan => ({
      limits: {
        ...base,
        pool: 'p',
        poolSlots: 1,
        endpoint: 'e',
        endpointLimit: 1,
        model: 'm',
        ...over,
      },
      standIns: [],
      runsFor,
      arrivesAfter: 0,
    });
    const queue = new Queue();
    // One stream keeps the pool taken, another the endpoint, and they end at different seconds.
    const inPool = one({ endpoint: 'other', endpointLimit: null }, 3);
    const onEndpoint = one({ pool: 'q', poolSlots: 9 }, 3);
    queue.add('pool-first', inPool);
    queue.tick();
    queue.add('endpoint-first', onEndpoint);
    queue.tick();
    queue.add('both', one({}, 1));
    let n = 0;
    for (; !queue.started.has('both'); n += 1) {
      assert.ok(n < 400, 'it starves');
      queue.add(`pool-${n}`, inPool);
      queue.add(`endpoint-${n}`, onEndpoint);
      queue.tick();
    }
    assert.ok(n > 5, 'it was passed at first, or this shows nothing');
  });
});
