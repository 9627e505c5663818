import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { menuEntries } from '../../../../src/host/status/menuEntries.ts';
import { statusText, type StatusFacts } from '../../../../src/host/status/statusText.ts';
import { CREATED_AT, reviewJob, runningJob } from '../../../support/feedJob.ts';

const RUNNING = { kind: 'running', server: { version: '1', pid: 1, isRestricted: false } } as const;
const FACTS: StatusFacts = {
  running: 0,
  waiting: 0,
  review: 0,
  server: RUNNING,
  isAllShown: false,
  hasFolder: true,
};

describe('the item in the status bar', () => {
  const TABLE: readonly (readonly [Partial<StatusFacts>, string, string])[] = [
    [{}, '$(type-hierarchy-sub)', 'Delegation: no job runs or waits in this repository'],
    [
      { running: 2, waiting: 1, review: 3 },
      '$(loading~spin) 2 $(clock) 1 $(git-pull-request) 3',
      'Delegation: 2 jobs running, 1 waiting for a place, 3 to review in this repository',
    ],
    [
      { review: 1, isAllShown: true },
      '$(git-pull-request) 1',
      'Delegation: 1 to review in all repositories',
    ],
  ];
  for (const [facts, text, tooltip] of TABLE)
    it(tooltip, () =>
      assert.deepEqual(statusText({ ...FACTS, ...facts }), {
        isShown: true,
        text,
        tooltip,
        isWarning: false,
      }),
    );

  it('is hidden where it could be about nothing', () => {
    assert.equal(statusText({ ...FACTS, hasFolder: false }).isShown, false);
    assert.equal(statusText({ ...FACTS, hasFolder: false, running: 1 }).isShown, true);
  });

  it('warns of a server that does not come back, and of nothing else', () => {
    const failed = { kind: 'failed', reason: 'It ended.', hint: 'Look.' } as const;
    const { text, tooltip, isWarning } = statusText({ ...FACTS, running: 1, server: failed });
    assert.deepEqual(
      [text, tooltip, isWarning],
      ['$(warning) Delegation', 'It ended. Look.', true],
    );
    const degraded = { kind: 'degraded', reason: 'x', retryInMs: 1 } as const;
    assert.equal(statusText({ ...FACTS, server: degraded }).isWarning, false);
  });
});

describe('the menu of the status bar', () => {
  const facts = {
    running: [runningJob({ id: 'r' })],
    waiting: [],
    review: [reviewJob({ id: 'a' }), reviewJob({ id: 'b', task: '$(zap) hi' })],
    server: RUNNING,
    isTrusted: true,
    now: new Date(CREATED_AT),
  };

  it('has first what waits for a person, then what runs', () => {
    assert.deepEqual(
      menuEntries(facts)
        .slice(0, 5)
        .map(({ label, command, args }) => [label, command, ...args]),
      [
        ['For review', null],
        ['$(pass) Fix the off-by-one in range()', 'reviewJob', 'a'],
        ['$(pass) $\u2009(zap) hi', 'reviewJob', 'b'],
        ['Running and waiting', null],
        ['$(loading~spin) Fix the off-by-one in range()', 'openJob', 'r'],
      ],
    );
  });

  it('answers in every state, and offers nothing that Restricted Mode refuses', () => {
    const commands = menuEntries({
      ...facts,
      running: [],
      review: [],
      isTrusted: false,
      server: { kind: 'failed', reason: 'It ended.', hint: '' },
    }).map(({ command }) => command);
    assert.deepEqual(
      commands.filter((command) => command !== null),
      ['openConfig', 'openWalkthrough', 'restartServer', 'showServerLog', 'collectDiagnostics'],
    );
  });
});
