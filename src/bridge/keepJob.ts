import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { AdHocEndpoint } from './adHocEndpoint.ts';
import { AdHocFiles } from './adHocFiles.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { createJobDir } from './jobs/jobPaths.ts';
import type { JobSpec } from './jobs/jobSpec.ts';
import type { JobStore } from './jobs/jobStore.ts';
import { keepSubmittedConfig } from './submittedConfig.ts';

/** What was decided about one request: a job to queue, or a refusal to record. */
export interface DecidedJob {
  readonly record: JobRecord;
  readonly spec: JobSpec;
  readonly refusal: BridgeError | null;
  /** The endpoint, when the call named it by its address. */
  readonly adHoc: AdHocEndpoint | null;
}

/**
 * Puts a decided job in the store, its brief and the configuration that it was taken with in its folder. From then on any process may
 * start it, so its files are written whole before it is there.
 */
export function keepJob(
  context: Pick<BridgeContext, 'stateDir' | 'loadConfig'> & {
    readonly store: Pick<JobStore, 'insert'>;
  },
  { record, spec, refusal, adHoc }: DecidedJob,
): void {
  const { stateDir } = context;
  writeFileSync(join(createJobDir(stateDir, record.id), 'task.md'), record.task, { mode: 0o600 });
  if (adHoc !== null) new AdHocFiles(stateDir).keep(record.id, adHoc);
  if (refusal === null) keepSubmittedConfig(stateDir, record.id, context.loadConfig(spec.repoRoot));
  context.store.insert(record, spec);
}
