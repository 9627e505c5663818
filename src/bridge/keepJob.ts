import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { AdHocEndpoint } from './adHocEndpoint.ts';
import { AdHocFiles } from './adHocFiles.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { createJobDir } from './jobs/jobPaths.ts';
import type { JobSpec } from './jobs/jobSpec.ts';

/** What was decided about one request: a job to queue, or a refusal to record. */
export interface DecidedJob {
  readonly record: JobRecord;
  readonly spec: JobSpec;
  readonly refusal: BridgeError | null;
  /** The endpoint, when the call named it by its address. */
  readonly adHoc: AdHocEndpoint | null;
}

/** Puts a decided job in the store, its brief in its folder. From then on any process may start it. */
export function keepJob(context: BridgeContext, { record, spec, adHoc }: DecidedJob): void {
  writeFileSync(join(createJobDir(context.stateDir, record.id), 'task.md'), record.task, {
    mode: 0o600,
  });
  if (adHoc !== null) new AdHocFiles(context.stateDir).keep(record.id, adHoc);
  context.store.insert(record, spec);
}
