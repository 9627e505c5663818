import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { modelFacts } from '../config/modelFacts.ts';
import type { Failure, GateResult, JobRecord, WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { answersAsFactKey } from '../bridge/decideRoute.ts';
import { isOtherModel } from '../bridge/routing/isOtherModel.ts';
import { endRecord } from '../bridge/jobs/endRecord.ts';
import type { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import type { StorageReserve } from '../bridge/jobs/storageReserve.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import { isFinal } from '../bridge/jobs/status.ts';
import { endJobProcesses } from '../bridge/processes/jobProcesses.ts';
import type { JobProgress } from './jobProgress.ts';
import type { JobSession } from './jobSession.ts';
import type { JobEndpoint } from './jobSetup.ts';
import type { JobTree } from './jobTree.ts';
import type { MetricsWatch } from './metricsWatch.ts';
import type { RepositoryWatch } from '../bridge/repositoryWatch.ts';
import type { Stop } from './stopSignal.ts';
import type { TreeWatch } from './treeWatch.ts';

const SETTINGS_FILE = 'claude-settings.json';
const END_GRACE_MS = 3_000;

/** What a job had come to have when it ended; null for what it did not get to. */
export interface JobParts {
  tree: JobTree | null;
  session: JobSession | null;
  endpoint: JobEndpoint | null;
  metrics: MetricsWatch | null;
  repository: RepositoryWatch | null;
  readOnlyTree: TreeWatch | null;
  setup: WorktreeRecord['setup'];
  reserve: StorageReserve | null;
}

export interface Outcome {
  readonly failure: Failure | null;
  readonly gate: GateResult | null;
}

export interface JobEnd extends Outcome {
  readonly context: BridgeContext;
  readonly job: StoredJob;
  readonly log: JobLogWriter;
  readonly progress: JobProgress;
  readonly stop: Stop | null;
  readonly parts: Readonly<JobParts>;
}

/**
 * From the end of the work to the receipt. Each step is tried whatever became of the one before, and what went wrong is a warning on
 * the receipt. The order matters: no process of the job lives when the repository is compared, and the repository's configuration is
 * put back before git looks at the tree.
 */
export async function endJob(end: JobEnd): Promise<void> {
  const { parts, log, progress } = end;
  const warnings: string[] = [];
  const step = async <T>(
    what: string,
    work: () => Promise<T>,
    onFailure: (problem: BridgeError) => void = () => undefined,
  ): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      const problem = BridgeError.from(error);
      onFailure(problem);
      warnings.push(`${what}: ${problem.message}`);
      log.transcript(`[error] ${what}: ${problem.stack ?? problem.message}`);
      return null;
    }
  };
  const { id } = end.job.record;
  const tree = parts.tree?.record ?? null;
  await step('The gateway could not be closed', async () => parts.session?.close());
  await step('Processes of the job could not be ended', () => endJobProcesses(id, END_GRACE_MS));
  const guarded = await step('The repository could not be compared', async () =>
    tree === null ? undefined : parts.repository?.finish(tree),
  );
  warnings.push(...(guarded?.warnings ?? []));
  const violation = await step('The tree could not be compared', async () =>
    parts.readOnlyTree?.failure(),
  );
  const metrics = await step('The counters of the server could not be read', async () =>
    parts.metrics?.delta(),
  );
  // Work that cannot be listed is not done: the tree may be gone, or be another repository's by now.
  const unlisted: Failure[] = [];
  const finished = await step(
    'The changes could not be listed; the worktree is kept',
    async () => parts.tree?.finish(sharesTree(end)),
    ({ kind, message, hint }) => unlisted.push({ kind, message, hint }),
  );
  // The endpoint's `env` may hold resolved references.
  await step('The settings of the session could not be removed', () =>
    rm(join(jobDir(end.context.stateDir, id), SETTINGS_FILE), { force: true }),
  );
  await step('A connection could not be closed', async () =>
    parts.endpoint?.resolved.target.dispatcher.close(),
  );
  const other = otherModel(end);
  if (other !== null) warnings.push(`${other.from} was asked for, and ${other.to} answered.`);
  warnings.push(...neighbours(end));
  parts.reserve?.release();
  progress.update((record) => ({
    ...endedRecord(end, record, end.failure ?? violation ?? unlisted[0] ?? null),
    worktree: finished?.record ? { ...finished.record, setup: parts.setup } : record.worktree,
    filesChanged: finished?.changes ?? [],
    serverMetrics: metrics ?? null,
    tampered: guarded?.tampered ?? [],
    modelServed: parts.session?.modelServed ?? null,
    proof: proofOf(end, record),
    fallback:
      record.fallback ??
      (other && { ...other, reason: `${record.endpoint ?? 'the endpoint'} answered with another` }),
    review: { ...record.review, status: isReviewable(record, finished) ? 'pending' : 'none' },
    warnings: [...record.warnings, ...warnings],
  }));
}

function endedRecord(end: JobEnd, record: JobRecord, failure: Failure | null): JobRecord {
  const now = new Date();
  const judged = { ...record, gate: end.gate ?? record.gate };
  if (end.stop !== null) return endRecord(judged, end.stop.status, end.stop.failure, now);
  if (failure === null) return endRecord(judged, 'done', null, now);
  const isRefusal = failure.kind === 'policy_refused' && record.status === 'starting';
  return endRecord(judged, isRefusal ? 'refused' : 'failed', failure, now);
}

/** A tree whose changes could not be listed may hold work, so it waits for a person. */
function isReviewable(
  record: JobRecord,
  finished: Awaited<ReturnType<JobTree['finish']>> | null | undefined,
): boolean {
  if (!finished) return record.worktree !== null;
  return (finished.record?.kept ?? false) && (finished.changes?.length ?? 0) > 0;
}

function proofOf(end: JobEnd, record: JobRecord): JobRecord['proof'] {
  const requests = end.parts.session?.requests ?? 0;
  return requests === 0 || record.endpoint === null
    ? null
    : { requests, endpoint: record.endpoint };
}

/** Another model than the one asked for answered: said, never hidden. An alias that is known to answer so is none. */
function otherModel({ parts, job, context }: JobEnd): { from: string; to: string } | null {
  const answered = parts.session?.modelServed ?? null;
  const { record, spec } = context.store.find(job.record.id) ?? job;
  if (answered === null || parts.endpoint === null || record.endpoint === null) return null;
  const asked = spec.servedModel;
  const isOther = isOtherModel(asked, answered, {
    answersAs: modelFacts(parts.endpoint.config.config.models, asked).answers_as ?? [],
    learned: context.store.fact(answersAsFactKey(record.endpoint, asked))?.value ?? null,
  });
  return isOther ? { from: asked, to: answered } : null;
}

/** Two jobs in one folder at a time cannot be told apart by what changed in it. */
function neighbours({ context, job, parts }: JobEnd): string[] {
  const { repoRoot } = job.spec;
  if (job.record.isolation !== 'none' || repoRoot === null || parts.tree === null) return [];
  const startedAt = context.store.find(job.record.id)?.record.startedAt ?? job.record.createdAt;
  const others = context.store
    .list()
    .filter(({ record, spec }) => record.id !== job.record.id && spec.repoRoot === repoRoot)
    .filter(
      ({ record }) => record.isolation === 'none' && !record.readOnly && record.startedAt !== null,
    )
    .filter(({ record }) => record.finishedAt === null || record.finishedAt > startedAt);
  if (others.length === 0) return [];
  return [
    `Another job worked in this folder at the same time (${others.map(({ record }) => record.id).join(', ')}): the change list may hold its changes too.`,
  ];
}

function sharesTree({ parts, context, job }: JobEnd): boolean {
  const id = parts.tree?.record?.id;
  if (id === undefined) return false;
  return context.store
    .withWorktree(id)
    .some((other) => other.record.id !== job.record.id && !isFinal(other.record.status));
}
