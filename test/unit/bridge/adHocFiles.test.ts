import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AdHocFiles } from '../../../src/bridge/adHocFiles.ts';
import { adHocEndpoint, type AdHocEndpoint } from '../../../src/bridge/adHocEndpoint.ts';
import type { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { JOB_STATUSES, type JobStatus } from '../../../src/protocol/job.ts';

function store(statuses: Readonly<Record<string, JobStatus>>): Pick<JobStore, 'find'> {
  return {
    find: (id) =>
      statuses[id] === undefined
        ? null
        : ({ record: { status: statuses[id] } } as ReturnType<JobStore['find']>),
  };
}

describe('AdHocFiles', () => {
  let dir: string;
  let files: AdHocFiles;
  let endpoint: AdHocEndpoint;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ad-hoc-'));
    files = new AdHocFiles(dir);
    endpoint = await adHocEndpoint({ url: 'http://h', model: 'm' }, 'sk-1', {
      allowedHosts: [],
      lookup: async () => ['93.184.216.34'],
    });
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('gives back what was kept, from a file that only its owner reads', () => {
    files.keep('a', endpoint);
    assert.deepEqual(files.read('a'), endpoint);
    assert.equal(files.read('b'), null);
    assert.equal(statSync(join(dir, 'providers')).mode & 0o777, 0o700);
    assert.equal(statSync(join(dir, 'providers', 'a.json')).mode & 0o777, 0o600);
  });

  it('sweeps those of jobs that are over, and no others', () => {
    for (const status of JOB_STATUSES) files.keep(status, endpoint);
    files.sweep(store(Object.fromEntries(JOB_STATUSES.map((each) => [each, each]))), Date.now());
    assert.deepEqual(readdirSync(join(dir, 'providers')).sort(), [
      'gating.json',
      'queued.json',
      'running.json',
      'starting.json',
    ]);
  });

  it('a file without a job stays for the time in which the job may be written', () => {
    files.keep('new', endpoint);
    files.keep('old', endpoint);
    const past = new Date(Date.now() - 3_600_000);
    utimesSync(join(dir, 'providers', 'old.json'), past, past);
    files.sweep(store({}), Date.now());
    assert.deepEqual(readdirSync(join(dir, 'providers')), ['new.json']);
  });

  it('there is nothing to sweep before anything was kept', () => {
    files.sweep(store({}), Date.now());
    assert.deepEqual(readdirSync(dir), []);
  });
});
