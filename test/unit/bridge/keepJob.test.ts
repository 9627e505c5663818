import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepJob } from '../../../src/bridge/keepJob.ts';
import type { JobSpec } from '../../../src/bridge/jobs/jobSpec.ts';
import { ConfigLoader } from '../../../src/config/load.ts';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { scratchFolders } from '../config/scratch.ts';

describe('keepJob', () => {
  const scratch = scratchFolders();

  it('has written the files of a job whole before another process can see it', () => {
    const home = scratch.folder();
    const stateDir = join(home, 'state');
    const loader = new ConfigLoader({
      ...{ env: {}, homeDir: home, trust: () => true, platform: 'linux' },
    });
    const read = (name: string): string =>
      readFileSync(join(stateDir, 'jobs/loop-1', name), 'utf8');
    let isInserted = false;
    keepJob(
      {
        stateDir,
        loadConfig: (repoRoot) => loader.load(repoRoot),
        store: {
          insert: () => {
            assert.equal(read('task.md'), 'Fix it');
            const kept = JSON.parse(read('config.json')) as { readonly unfiled: readonly string[] };
            assert.deepEqual(kept.unfiled, ['delegate-local']);
            isInserted = true;
          },
        },
      },
      {
        record: { id: 'loop-1', task: 'Fix it' } as JobRecord,
        spec: { repoRoot: null } as JobSpec,
        ...{ refusal: null, adHoc: null },
      },
    );
    assert.ok(isInserted);
  });
});
