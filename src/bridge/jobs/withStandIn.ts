import type { JobRecord } from '../../protocol/job.ts';
import type { StoredJob } from './jobRow.ts';
import type { Alternative, JobSpec } from './jobSpec.ts';

/** A job that a member of its chain has taken: from here on that is where it runs, and the record says so, with the reason. */
export function withStandIn(
  { record, spec }: Pick<StoredJob, 'record' | 'spec'>,
  member: Alternative,
  reason: string,
): { readonly record: JobRecord; readonly spec: JobSpec } {
  const from = record.fallback?.from ?? spec.servedModel;
  const at = spec.alternatives.findIndex(
    ({ endpoint, model }) => endpoint === member.endpoint && model === member.model,
  );
  return {
    record: {
      ...record,
      endpoint: member.endpoint,
      baseUrl: member.baseUrl,
      locality: member.locality,
      context: { ...record.context, window: member.contextWindow },
      fallback: { from, to: member.model, reason },
      warnings: [
        ...record.warnings,
        `${member.model} at ${member.endpoint} stands in for ${spec.servedModel} at ${record.endpoint ?? 'no endpoint'}: ${reason}.`,
      ],
    },
    spec: {
      ...spec,
      servedModel: member.model,
      pool: member.pool,
      poolSlots: member.poolSlots,
      endpointLimit: member.endpointLimit,
      exclusiveGroup: member.exclusiveGroup,
      alternatives: spec.alternatives.slice(at + 1),
      failoverSinceMs: null,
    },
  };
}
