import type { JobRecord, Usage } from '../../protocol/job.ts';

const UNKNOWN_USAGE: Usage = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
};

/** A record in which everything that nobody has said yet is null. */
export function newRecord(
  known: Pick<
    JobRecord,
    'id' | 'task' | 'runner' | 'client' | 'policy' | 'cwd' | 'isolation' | 'createdAt'
  >,
): JobRecord {
  return {
    ...known,
    agent: null,
    preset: null,
    kind: null,
    modelRequested: null,
    endpoint: null,
    baseUrl: null,
    locality: null,
    modelServed: null,
    route: null,
    fallback: null,
    runCwd: null,
    readOnly: false,
    worktree: null,
    status: 'queued',
    queueReason: null,
    failure: null,
    queuedS: null,
    startedAt: null,
    finishedAt: null,
    elapsedS: null,
    lastActivity: null,
    turns: null,
    toolCalls: 0,
    context: { window: null, used: null },
    speedTps: null,
    usage: UNKNOWN_USAGE,
    serverMetrics: null,
    filesChanged: [],
    filesClaimed: [],
    commands: { run: 0, failed: 0, lastExit: null },
    sessionId: null,
    exitCode: null,
    retry: { count: 0, inS: null },
    result: null,
    resultTruncated: false,
    resultBytes: null,
    clientUsage: UNKNOWN_USAGE,
    stopReason: null,
    repairRounds: 0,
    gate: null,
    review: { status: 'none', by: null, at: null, files: [], dropped: [] },
    proof: null,
    network: 'not jailed',
    tampered: [],
    resumedFrom: null,
    attempts: [],
    warnings: [],
    host: { pid: null, startedAt: null, alive: false },
  };
}
