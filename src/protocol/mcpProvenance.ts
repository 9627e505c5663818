import { sanitiseLine } from '../base/sanitise.ts';
import type { JobRecord } from './job.ts';

/** First line of every result about a job: who answered, where, by which rule, fallback and gate. Facts of the bridge only. */
export function jobProvenance(job: JobRecord): string {
  return [
    whoAndWhere(job),
    askedFor(job),
    `rule ${job.route?.rule ?? 'none'}`,
    fallbackText(job),
    gateText(job),
    job.tampered.length > 0 ? 'the job touched the repository itself, which was put back' : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** For results that no model had a part in. */
export function noModelProvenance(what: string): string {
  return `No model was asked · ${sanitiseLine(what)} · answered by Delegation Bridge on this machine`;
}

/** For one plain request without a job. */
export function completionProvenance(done: {
  readonly modelServed: string | null;
  readonly modelRequested: string | null;
  readonly endpoint: string;
  readonly rule: string;
}): string {
  const asked =
    done.modelRequested === null ? 'no model was named' : `asked for ${clean(done.modelRequested)}`;
  return `Answered by ${done.modelServed === null ? 'a model that did not say its name' : clean(done.modelServed)} at ${clean(done.endpoint)} · ${asked} · rule ${done.rule} · no fallback · no gate`;
}

function whoAndWhere(job: JobRecord): string {
  const place = job.endpoint === null ? 'no endpoint' : `${clean(job.endpoint)}${placeKind(job)}`;
  // A request that was carried need not have had an answer: an error is none.
  if (job.modelServed !== null || job.status === 'done') {
    const model =
      job.modelServed === null ? 'a model that did not say its name' : clean(job.modelServed);
    const proof =
      job.proof === null ? ' (not proven: its requests do not pass through the bridge)' : '';
    return `Answered by ${model} at ${place}${proof}`;
  }
  if (job.status === 'queued') return `No model has answered: waiting for ${place}`;
  if (job.status === 'starting' || job.status === 'running')
    return `No model has answered yet: started for ${place}`;
  return `No model answered: ${job.status} at ${place}`;
}

function placeKind(job: JobRecord): string {
  const locality = job.locality ?? 'unknown';
  const name = locality === 'unknown' ? 'place unknown' : locality;
  return job.baseUrl === null ? ` (${name})` : ` (${name}, ${clean(job.baseUrl)})`;
}

function askedFor(job: JobRecord): string {
  return job.modelRequested === null
    ? 'no model was named'
    : `asked for ${clean(job.modelRequested)}`;
}

function fallbackText(job: JobRecord): string {
  if (job.fallback === null) return 'no fallback';
  const { from, to, reason } = job.fallback;
  return `FALLBACK from ${clean(from)} to ${clean(to)}: ${clean(reason)}`;
}

function gateText(job: JobRecord): string {
  if (job.gate === null || job.gate.status === 'none') return 'no gate';
  const covers = job.gate.covers === 'exact' ? '' : ` on content ${job.gate.covers} since`;
  return `gate ${clean(job.gate.name)} ${job.gate.status}${covers}`;
}

function clean(text: string): string {
  return sanitiseLine(text, 120);
}
