import type { JobRecord } from '../../../src/protocol/job.ts';
import { receiptGate } from '../../../src/protocol/receiptGate.ts';
import {
  formatCount,
  formatDuration,
  formatPlural,
} from '../../../src/protocol/statusLineParts.ts';

/** A fact of the receipt. All texts may hold foreign words. */
interface ReceiptFact {
  readonly name: string;
  readonly value: string;
  /** RFC 3339: the value is a time, and is told as "3 min ago". */
  readonly at?: string;
  /** Shown in the font of code. */
  readonly isCode?: boolean;
}

/** The honest account, in the order in which one asks for it. What is unknown is left out or said, never shown as 0. */
export function receiptFacts(job: JobRecord): ReceiptFact[] {
  const facts: (ReceiptFact | null)[] = [
    { name: 'Asked for', value: askedFor(job) },
    { name: 'Answered by', value: answeredBy(job) },
    fact('Endpoint', endpointText(job)),
    fact('Place', job.locality),
    { name: 'Proof', value: proofText(job) },
    fact('Rule', job.route?.rule ?? null),
    fact('Passed over', passedOver(job)),
    { name: 'Network', value: job.network },
    fact('Gate', receiptGate(job)),
    fact('Review', reviewText(job)),
    fact('Tokens', tokensText(job)),
    fact('Context', contextText(job)),
    fact('Speed', job.speedTps === null ? null : `${Math.round(job.speedTps)} tok/s`),
    fact('Turns', turnsText(job)),
    fact('Waited', job.queuedS === null ? null : formatDuration(job.queuedS)),
    fact('Ran', job.elapsedS === null ? null : formatDuration(job.elapsedS)),
    time('Created', job.createdAt),
    time('Started', job.startedAt),
    time('Ended', job.finishedAt),
    code('Base commit', job.worktree?.base.slice(0, 12) ?? null),
    code('Worktree', treeText(job)),
    code('Folder', job.cwd),
    fact('Runner', `${job.runner}${job.agent === null ? '' : `, agent ${job.agent.name}`}`),
    fact('Started by', job.client.name),
    code('Session', job.sessionId),
    code('Job', job.id),
  ];
  return facts.filter((each) => each !== null);
}

function fact(name: string, value: string | null): ReceiptFact | null {
  return value === null || value === '' ? null : { name, value };
}

function code(name: string, value: string | null): ReceiptFact | null {
  return value === null ? null : { name, value, isCode: true };
}

function time(name: string, at: string | null): ReceiptFact | null {
  return at === null ? null : { name, value: at, at };
}

function askedFor(job: JobRecord): string {
  const model = job.modelRequested ?? 'no model by name';
  return `${model}, policy ${job.policy}${job.readOnly ? ', read-only' : ''}`;
}

function answeredBy(job: JobRecord): string {
  if (job.modelServed !== null) return job.modelServed;
  if (job.status === 'done') return 'a model that did not say its name';
  return job.finishedAt === null ? 'nobody so far' : 'nobody';
}

function endpointText({ endpoint, baseUrl }: JobRecord): string | null {
  return endpoint === null ? null : `${endpoint}${baseUrl === null ? '' : ` (${baseUrl})`}`;
}

function proofText({ proof }: JobRecord): string {
  return proof === null
    ? 'none'
    : `the bridge carried ${formatPlural(proof.requests, 'request')} to ${proof.endpoint}`;
}

function passedOver({ route }: JobRecord): string | null {
  const others = (route?.considered ?? []).filter(({ reason }) => reason !== null);
  return others.map(({ endpoint, reason }) => `${endpoint}: ${reason}`).join('; ');
}

function reviewText({ review }: JobRecord): string | null {
  if (review.status === 'none') return null;
  return review.by === null ? review.status : `${review.status} by ${review.by}`;
}

function tokensText({ usage }: JobRecord): string {
  const parts = [
    usage.input === null ? null : `${formatCount(usage.input)} in`,
    usage.cacheRead === null ? null : `${formatCount(usage.cacheRead)} from cache`,
    usage.output === null ? null : `${formatCount(usage.output)} out`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'unknown' : parts.join(', ');
}

function contextText({ context: { used, window } }: JobRecord): string | null {
  if (window === null) return used === null ? null : `${formatCount(used)}, window unknown`;
  if (used === null) return `window ${formatCount(window)}`;
  const share = window === 0 ? '' : ` (${Math.round((100 * used) / window)} %)`;
  return `${formatCount(used)} of ${formatCount(window)}${share}`;
}

function turnsText({ turns, toolCalls, commands }: JobRecord): string | null {
  if (turns === null && toolCalls === 0) return null;
  const parts = [
    turns === null ? null : formatPlural(turns, 'turn'),
    formatPlural(toolCalls, 'tool call'),
    commands.failed === 0 ? null : `${formatPlural(commands.failed, 'command')} failed`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function treeText({ isolation, worktree }: JobRecord): string | null {
  if (worktree === null) return null;
  if (isolation === 'none') return `${worktree.root} (the checkout itself)`;
  return `${worktree.root}${worktree.kept ? '' : ' (removed)'}`;
}
