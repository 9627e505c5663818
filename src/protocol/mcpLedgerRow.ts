import type { JobRecord } from './job.ts';
import { toWire } from './keys.ts';

/** The receipt of an ended job as one flat row: what was asked, what answered, what it used, what became of it. Unknown is null. */
export function ledgerRow(job: JobRecord): Record<string, unknown> {
  return {
    id: job.id,
    finished_at: job.finishedAt,
    kind: job.kind,
    client: job.client.name,
    runner: job.runner,
    policy: job.policy,
    model_requested: job.modelRequested,
    model_served: job.modelServed,
    endpoint: job.endpoint,
    locality: job.locality,
    rule: job.route?.rule ?? null,
    fallback: job.fallback,
    proof_requests: job.proof?.requests ?? null,
    status: job.status,
    failure_kind: job.failure?.kind ?? null,
    gate: job.gate?.status ?? null,
    gate_covers: job.gate?.covers ?? null,
    review: job.review.status,
    review_by: job.review.by,
    files_changed: job.filesChanged.length,
    repair_rounds: job.repairRounds,
    turns: job.turns,
    tool_calls: job.toolCalls,
    usage: toWire(job.usage),
    client_usage: toWire(job.clientUsage),
    queued_s: job.queuedS,
    elapsed_s: job.elapsedS,
    network: job.network,
  };
}
