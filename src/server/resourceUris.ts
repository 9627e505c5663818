import type { JobRecord } from '../protocol/job.ts';
import { isOver } from './toolAnswers.ts';

export const JOBS_URI = 'delegate://jobs';
export const ENDPOINTS_URI = 'delegate://endpoints';
export const POOLS_URI = 'delegate://pools';
export const LEDGER_URI = 'delegate://ledger';

export type ResourceRef =
  | { readonly kind: 'jobs' | 'endpoints' | 'pools' | 'ledger' }
  | { readonly kind: 'job' | 'transcript' | 'diff'; readonly jobId: string };

/** Null for an address that is none of ours. */
export function parseResourceUri(uri: string): ResourceRef | null {
  const fixed = /^delegate:\/\/(jobs|endpoints|pools|ledger)$/.exec(uri)?.[1];
  if (fixed !== undefined) return { kind: fixed as 'jobs' | 'endpoints' | 'pools' | 'ledger' };
  const [, jobId, part] =
    /^delegate:\/\/jobs\/([a-z0-9-]{1,100})(?:\/(transcript|diff))?$/.exec(uri) ?? [];
  if (jobId === undefined) return null;
  return { kind: (part ?? 'job') as 'job' | 'transcript' | 'diff', jobId };
}

/** What a change of these jobs makes out of date. */
export function urisOf(changed: readonly JobRecord[]): string[] {
  const uris = new Set<string>();
  for (const job of changed) {
    const own = `${JOBS_URI}/${job.id}`;
    for (const uri of [JOBS_URI, POOLS_URI, ENDPOINTS_URI, own, `${own}/transcript`, `${own}/diff`])
      uris.add(uri);
    if (isOver(job)) uris.add(LEDGER_URI);
  }
  return [...uris];
}
