import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decideQueue, type WaitingJob } from '../../../../src/bridge/jobs/decideQueue.ts';
import type { JobLimits } from '../../../../src/bridge/jobs/jobLimits.ts';
import { WELL } from '../../../../src/bridge/routing/endpointHealth.ts';

const limits = (over: Partial<JobLimits> = {}): JobLimits => ({
  pool: 'default',
  poolSlots: 2,
  endpoint: 'gpu',
  model: 'm',
  endpointLimit: null,
  server: null,
  serverLimit: null,
  exclusiveGroup: null,
  isMemoryShort: false,
  ...over,
});
const job = (id: string, over: Partial<JobLimits> = {}): WaitingJob => ({
  id,
  limits: limits(over),
  passedBy: 0,
  standIn: null,
});
const none = new Map();

describe('decideQueue', () => {
  const cases: {
    name: string;
    queue: WaitingJob[];
    live: WaitingJob[];
    cooling?: string[];
    admit: string[];
    waiting?: Record<string, string>;
  }[] = [
    { name: 'an empty queue', queue: [], live: [], admit: [] },
    {
      name: 'as many as the pool has room for, in order',
      queue: [job('a'), job('b'), job('c')],
      live: [],
      admit: ['a', 'b'],
      waiting: { c: 'pool_full' },
    },
    {
      name: 'what runs counts',
      queue: [job('a'), job('b')],
      live: [job('x')],
      admit: ['a'],
      waiting: { b: 'pool_full' },
    },
    {
      name: 'the endpoint has a limit of its own',
      queue: [job('a', { endpointLimit: 1 }), job('b', { endpointLimit: 1 })],
      live: [],
      admit: ['a'],
      waiting: { b: 'endpoint_busy' },
    },
    {
      name: 'a later job passes one that waits for a pool it does not touch',
      queue: [job('a', { pool: 'glm-', poolSlots: 0 }), job('b', { endpoint: 'other' })],
      live: [],
      admit: ['b'],
      waiting: { a: 'pool_full' },
    },
    {
      name: 'a later job never passes one that waits for the same endpoint',
      queue: [job('a', { endpointLimit: 1 }), job('b', { endpointLimit: 5 })],
      live: [job('x', { endpointLimit: 1 })],
      admit: [],
      waiting: { a: 'endpoint_busy', b: 'endpoint_busy' },
    },
    {
      name: 'one endpoint of an exclusive group at a time, with as many jobs as it takes',
      queue: [
        job('a', { poolSlots: 9, endpoint: 'big', exclusiveGroup: 'gpu0' }),
        job('b', { poolSlots: 9, endpoint: 'small', exclusiveGroup: 'gpu0' }),
      ],
      live: [job('x', { endpoint: 'big', exclusiveGroup: 'gpu0' })],
      admit: ['a'],
      waiting: { b: 'exclusive_group' },
    },
    {
      name: 'too little memory on the machine that serves; another endpoint’s job passes',
      queue: [job('a', { isMemoryShort: true }), job('b', { endpoint: 'lan' })],
      live: [],
      admit: ['b'],
      waiting: { a: 'memory' },
    },
    {
      name: 'entries with one address are one server',
      queue: [
        job('a', { endpoint: 'lane1', server: 'gate:4000', serverLimit: 2, poolSlots: 9 }),
        job('b', { endpoint: 'lane2', server: 'gate:4000', serverLimit: 2, poolSlots: 9 }),
        job('c', { endpoint: 'other', poolSlots: 9 }),
      ],
      live: [job('x', { endpoint: 'lane1', server: 'gate:4000', serverLimit: 2 })],
      admit: ['a', 'c'],
      waiting: { b: 'endpoint_busy' },
    },
    {
      name: 'an endpoint that cools down',
      queue: [job('a')],
      live: [],
      cooling: ['gpu'],
      admit: [],
      waiting: { a: 'cooldown' },
    },
  ];
  for (const { name, queue, live, cooling, admit, waiting } of cases) {
    it(name, () => {
      const health = new Map(cooling?.map((name) => [name, { ...WELL, pausedUntilMs: 1 }]));
      const decision = decideQueue(queue, live, health);
      assert.deepEqual(
        decision.admit,
        admit.map((id) => ({ id, standsInFor: null })),
      );
      assert.deepEqual(Object.fromEntries(decision.waiting), waiting ?? {});
    });
  }

  const anyJobs = (prefix: string) =>
    fc
      .array(
        fc.record({
          pool: fc.constantFrom('a', 'b'),
          endpoint: fc.constantFrom('e1', 'e2', 'e3'),
          isGrouped: fc.boolean(),
        }),
        { maxLength: 12 },
      )
      .map((list) =>
        list.map(({ pool, endpoint, isGrouped }, index) =>
          job(`${prefix}${index}`, {
            pool,
            poolSlots: pool === 'a' ? 2 : 3,
            endpoint,
            endpointLimit: endpoint === 'e3' ? null : 2,
            exclusiveGroup: isGrouped ? 'g' : null,
          }),
        ),
      );

  it('no limit is ever exceeded, every job is either admitted or told why, and the order within a limit is kept', () => {
    fc.assert(
      fc.property(anyJobs('q'), (queue) => {
        const { admit: starts, waiting } = decideQueue(queue, [], none);
        const admit = starts.map(({ id }) => id);
        const admitted = queue.filter((each) => admit.includes(each.id));
        for (const [pool, slots] of [
          ['a', 2],
          ['b', 3],
        ] as const) {
          assert.ok(admitted.filter((each) => each.limits.pool === pool).length <= slots);
        }
        for (const endpoint of ['e1', 'e2']) {
          assert.ok(admitted.filter((each) => each.limits.endpoint === endpoint).length <= 2);
        }
        const grouped = new Set(
          admitted
            .filter((each) => each.limits.exclusiveGroup === 'g')
            .map((each) => each.limits.endpoint),
        );
        assert.ok(grouped.size <= 1);
        for (const each of queue) assert.equal(admit.includes(each.id), !waiting.has(each.id));
        // The head of the queue is never the one that waits while nothing runs.
        if (queue[0] !== undefined) assert.equal(admit[0], queue[0].id);
        // Of two jobs with the same limits the earlier is never behind.
        const seenWaiting = new Set<string>();
        for (const each of queue) {
          const key = JSON.stringify(each.limits);
          if (waiting.has(each.id)) seenWaiting.add(key);
          else assert.ok(!seenWaiting.has(key), `${each.id} passed its twin`);
        }
      }),
    );
  });

  it('one model of an endpoint that cools down holds up only its own jobs', () => {
    const health = new Map([['gpu', { ...WELL, coolingModels: new Map([['glm', 1]]) }]]);
    const { admit, waiting } = decideQueue([job('a', { model: 'glm' }), job('b')], [], health);
    assert.deepEqual(admit, [{ id: 'b', standsInFor: null }]);
    assert.deepEqual([...waiting], [['a', 'cooldown']]);
  });

  it('an endpoint that has failed is tried by one job at a time', () => {
    const halfOpen = (probeJob: string | null) =>
      new Map([['gpu', { ...WELL, breaker: 'half-open' as const, probeJob }]]);
    const first = decideQueue([job('a'), job('b')], [], halfOpen(null));
    assert.deepEqual(first.admit, [{ id: 'a', standsInFor: null }]);
    assert.deepEqual([...first.probes], [['gpu', 'a']]);
    assert.deepEqual([...first.waiting], [['b', 'cooldown']]);
    const second = decideQueue([job('b')], [job('a')], halfOpen('a'));
    assert.deepEqual(second.admit, []);
    // It ended without a word about the endpoint: the next one tries.
    const third = decideQueue([job('b')], [job('x')], halfOpen('a'));
    assert.deepEqual([...third.probes], [['gpu', 'b']]);
  });

  describe('stand-ins', () => {
    const full = { pool: 'glm-', poolSlots: 1 };
    const standIn = (over: Partial<JobLimits> = {}): WaitingJob['standIn'] => ({
      limits: limits({ pool: 'qwen-', poolSlots: 1, endpoint: 'cloud', ...over }),
      insteadOf: new Set(['pool_full', 'endpoint_busy']),
    });
    const running = [job('x', full)];

    it('a job whose pool is full goes to the stand-in whose turn it is', () => {
      const queue = [{ ...job('a', full), standIn: standIn() }, job('b', full)];
      const { admit, waiting } = decideQueue(queue, running, none);
      assert.deepEqual(admit, [{ id: 'a', standsInFor: 'pool_full' }]);
      assert.deepEqual([...waiting], [['b', 'pool_full']]);
    });

    it('its own place comes first', () => {
      const queue = [{ ...job('a', full), standIn: standIn() }];
      assert.deepEqual(decideQueue(queue, [], none).admit, [{ id: 'a', standsInFor: null }]);
    });

    it('a place behind which an earlier job of the same pool waits is full as well', () => {
      const queue = [
        job('a', { ...full, endpointLimit: 1 }),
        { ...job('b', { ...full, poolSlots: 9 }), standIn: standIn() },
      ];
      const { admit } = decideQueue(queue, [job('x', { ...full, endpointLimit: 1 })], none);
      assert.deepEqual(admit, [{ id: 'b', standsInFor: 'pool_full' }]);
    });

    it('never when the stand-in has no place, nor before one who waits there', () => {
      const queue = [{ ...job('a', full), standIn: standIn() }];
      const there = job('y', { pool: 'qwen-', poolSlots: 1, endpoint: 'cloud' });
      assert.deepEqual(decideQueue(queue, [...running, there], none).admit, []);
      // The pool has room, but an earlier job waits for it because its own endpoint is busy.
      const waits = job('w', {
        pool: 'qwen-',
        poolSlots: 9,
        endpoint: 'cloud',
        endpointLimit: 1,
      });
      const roomy = standIn({ poolSlots: 9, endpointLimit: 9 });
      const { admit, waiting } = decideQueue(
        [waits, { ...job('a', full), standIn: roomy }],
        [...running, job('y', { endpoint: 'cloud' })],
        none,
      );
      assert.deepEqual(admit, []);
      assert.deepEqual([...waiting.keys()], ['w', 'a']);
    });

    it('not for a reason that the configuration does not name', () => {
      const queue = [{ ...job('a'), standIn: standIn() }];
      const health = new Map([['gpu', { ...WELL, pausedUntilMs: 1 }]]);
      assert.deepEqual([...decideQueue(queue, [], health).waiting], [['a', 'cooldown']]);
      const onError = {
        ...job('a'),
        standIn: {
          limits: limits({ endpoint: 'cloud' }),
          insteadOf: new Set(['cooldown' as const]),
        },
      };
      assert.deepEqual(decideQueue([onError], [], health).admit, [
        { id: 'a', standsInFor: 'cooldown' },
      ]);
    });
  });
});
