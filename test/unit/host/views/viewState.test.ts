import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { viewMessage } from '../../../../src/host/views/viewMessage.ts';
import {
  endpointsViewState,
  jobsViewState,
  type ViewFacts,
} from '../../../../src/host/views/viewState.ts';

const FACTS: ViewFacts = {
  load: 'ready',
  hasRows: false,
  server: 'running',
  isTrusted: true,
  folder: 'repository',
  hasGit: true,
  hasEndpoint: true,
};
const JOBS: readonly (readonly [Partial<ViewFacts>, string])[] = [
  [{}, 'noJobs'],
  [{ hasRows: true, server: 'failed', load: 'error' }, 'ready'],
  [{ load: 'loading' }, 'loading'],
  [{ load: 'error' }, 'error'],
  [{ load: 'error', server: 'stopped' }, 'serverStopped'],
  [{ load: 'loading', server: 'failed' }, 'serverFailed'],
  [{ hasEndpoint: false }, 'noEndpoint'],
  [{ hasEndpoint: null }, 'noJobs'],
  [{ folder: 'plain', hasEndpoint: false }, 'noRepository'],
  [{ folder: 'plain', hasGit: false }, 'noGit'],
  [{ isTrusted: false, folder: 'plain' }, 'untrusted'],
  [{ folder: 'none', isTrusted: false }, 'noFolder'],
];

interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when: string;
}

const { viewsWelcome } = (
  JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: { viewsWelcome: readonly Welcome[] };
  }
).contributes;

describe('what an empty view says', () => {
  for (const [facts, state] of JOBS)
    it(`${state} with ${JSON.stringify(facts)}`, () =>
      assert.equal(jobsViewState({ ...FACTS, ...facts }), state));

  it('of endpoints depends on the server, then on trust', () => {
    const states = [
      { ...FACTS },
      { ...FACTS, isTrusted: false },
      { ...FACTS, server: 'failed' as const },
      { ...FACTS, load: 'error' as const, server: 'degraded' as const },
      { ...FACTS, hasRows: true },
    ].map(endpointsViewState);
    assert.deepEqual(states, ['noEndpoint', 'untrusted', 'serverFailed', 'serverStopped', 'ready']);
  });

  it('has one text for each state in which there is something to do', () => {
    const said = viewsWelcome
      .filter(({ view }) => view === 'delegationBridge.jobs')
      .map(({ when }) => when.replace('delegationBridge.jobsState == ', ''));
    const needed = JOBS.map(([, state]) => state).filter(
      (state) => !['ready', 'loading', 'error'].includes(state),
    );
    assert.deepEqual(said.sort(), [...new Set(needed)].sort());
  });

  it('has one button, below its links', () => {
    for (const { contents, when } of viewsWelcome) {
      const lines = contents.split('\n');
      const buttons = lines.filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line));
      assert.deepEqual(buttons, lines.slice(-1), when);
    }
  });
});

describe('the line above the rows of a view', () => {
  const running = {
    kind: 'running',
    server: { version: '1', pid: 1, isRestricted: false },
  } as const;
  const base = { hasRows: true, isTrusted: true, rowsAsOf: '12:03' };
  const failed = { kind: 'failed', reason: 'It ended.', hint: 'Look at its log.' } as const;

  it('says that rows are old', () => {
    assert.equal(
      viewMessage({ ...base, server: failed }),
      'It ended. Look at its log. What is shown here is from 12:03.',
    );
    assert.match(
      viewMessage({ ...base, server: { kind: 'degraded', reason: 'It ended.', retryInMs: 2000 } }),
      /^It ended\. It is started again in 2 s\. What is shown here is from 12:03\.$/,
    );
  });

  it('leaves the word to the welcome text where there are no rows', () => {
    assert.equal(viewMessage({ ...base, hasRows: false, server: failed }), '');
  });

  it('is empty in the normal state, and says what Restricted Mode means', () => {
    assert.equal(viewMessage({ ...base, server: running }), '');
    assert.match(viewMessage({ ...base, isTrusted: false, server: running }), /^Restricted Mode: /);
  });
});
