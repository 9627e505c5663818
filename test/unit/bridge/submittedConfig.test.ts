import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { configForJob, keepSubmittedConfig } from '../../../src/bridge/submittedConfig.ts';
import { ConfigLoader } from '../../../src/config/load.ts';
import { scratchFolders } from '../config/scratch.ts';

describe('the configuration of a job', () => {
  const scratch = scratchFolders();

  /** What the host of the job sees, in a process with other variables than the one that took it. */
  function urlOf(cases: {
    submitting: Record<string, string>;
    hosting: Record<string, string>;
    file?: string;
    fileLater?: string;
    endpoint?: string;
  }): string | undefined {
    const home = scratch.folder();
    const stateDir = join(home, 'state');
    const file = join(home, '.config', 'delegation-bridge', 'models.yaml');
    const load = (env: Record<string, string>) =>
      new ConfigLoader({ env, homeDir: home, trust: () => true, platform: 'linux' }).load(null);
    if (cases.file !== undefined) scratch.write(file, cases.file);
    keepSubmittedConfig(stateDir, 'loop-1', load(cases.submitting));
    if (cases.fileLater !== undefined) scratch.write(file, cases.fileLater);
    const { config } = configForJob(stateDir, 'loop-1', load(cases.hosting));
    return config.endpoints[cases.endpoint ?? 'delegate-local']?.base_url;
  }

  const ours = { DELEGATE_LOCAL_URL: 'http://127.0.0.1:7001/v1/messages' };

  it('keeps the endpoint that a variable named, wherever the host is started from', () => {
    const kept = 'http://127.0.0.1:7001';
    assert.equal(urlOf({ submitting: ours, hosting: {} }), kept);
    assert.equal(urlOf({ submitting: ours, hosting: ours }), kept);
    const other = { DELEGATE_LOCAL_URL: 'http://127.0.0.1:7002' };
    assert.equal(urlOf({ submitting: ours, hosting: other }), kept);
  });

  it('reads what an earlier version kept', () => {
    const home = scratch.folder();
    const loaded = new ConfigLoader({
      env: {},
      homeDir: home,
      trust: () => true,
      platform: 'linux',
    }).load(null);
    scratch.write(
      join(home, 'state', 'jobs', 'loop-1', 'config.json'),
      JSON.stringify(loaded.config),
    );
    const { config } = configForJob(join(home, 'state'), 'loop-1', loaded);
    assert.equal(config.endpoints['delegate-local']?.base_url, 'http://localhost:4000');
  });

  it('goes by the present files for what a file names', () => {
    const file = 'endpoints: { tower: { base_url: "http://127.0.0.1:7003" } }\n';
    const fileLater = 'endpoints: { tower: { base_url: "http://127.0.0.1:7004" } }\n';
    const tower = { submitting: {}, hosting: {}, endpoint: 'tower' };
    assert.equal(urlOf({ ...tower, file }), 'http://127.0.0.1:7003');
    assert.equal(urlOf({ ...tower, file, fileLater }), 'http://127.0.0.1:7004');
    assert.equal(urlOf({ ...tower, file, fileLater: 'endpoints: {}\n' }), undefined);
  });
});
