import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { JobLogWriter } from '../../../src/bridge/jobs/jobLogWriter.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../../src/bridge/jobs/newRecord.ts';
import type { RunnerEvent } from '../../../src/bridge/runners/runner.ts';
import { redactor } from '../../../src/config/secrets.ts';
import { JobProgress } from '../../../src/jobHost/jobProgress.ts';

const KEY = 'sk-4f1c-very-secret';

describe('JobProgress', () => {
  let dir: string;
  let store: JobStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-progress-'));
    store = new JobStore(dir);
    const record = newRecord({
      id: 'j-1',
      task: 'x',
      runner: 'claude-code',
      client: { name: 'test', session: null, pid: null },
      policy: 'any',
      cwd: '/',
      isolation: 'worktree',
      createdAt: new Date(0).toISOString(),
    });
    store.insert(record, {
      request: { task: 'x' },
      servedModel: 'm',
      pool: 'default',
      poolSlots: 1,
      endpointLimit: null,
      exclusiveGroup: null,
      alternatives: [],
      failoverSinceMs: null,
      repoRoot: null,
      timeoutS: 1,
      idleTimeoutS: 1,
      configFile: null,
      resume: null,
    });
  });
  afterEach(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('no secret that the session says, whole or at the edge of a cut, is in the record', () => {
    const redact = redactor({ key: KEY });
    const onFull = (): void => assert.fail('the disk is not full');
    // The log writes what it is given: what keeps the secret out of the record is not the log.
    const log = new JobLogWriter(dir, redact, onFull);
    const progress = new JobProgress({ store, jobId: 'j-1', log, redact, onFull });
    const usage = { input: 1, output: 1, cacheRead: null, cacheWrite: null };
    const events: RunnerEvent[] = [
      { type: 'assistant', text: `the key is ${KEY}` },
      { type: 'tool', id: 't', name: 'Bash', input: { command: `curl -H ${KEY}` } },
      { type: 'file_claimed', path: `/tmp/${KEY}` },
      { type: 'retry', count: 1, inS: null, reason: `401 bad key ${KEY}` },
      { type: 'assistant', text: `${'x'.repeat(190)} ${KEY}` },
      {
        type: 'end',
        end: {
          failure: { kind: 'auth_failed', message: `refused ${KEY}`, hint: '' },
          text: `I used ${KEY}`,
          turns: 1,
          stopReason: KEY,
          usage,
          modelServed: null,
          exitCode: 0,
          warnings: [KEY],
        },
      },
    ];
    for (const event of events) {
      progress.onEvent(event);
      progress.flush();
      const stored = JSON.stringify(store.find('j-1')?.record);
      assert.doesNotMatch(stored, /sk-4f1c/, event.type);
    }
    assert.doesNotMatch(readFileSync(join(dir, 'transcript.txt'), 'utf8'), /sk-4f1c/);
    assert.match(store.find('j-1')?.record.result ?? '', /I used \[secret key\]/);
  });
});
