import type { Usage } from '../../../protocol/job.ts';
import type { TurnTrace } from './wire/turnTypes.ts';

/** What the turns of a job came to, over all rounds and attempts. */
export class LoopTotals {
  turns = 0;
  /** Requests that the endpoint has answered, with whatever status. */
  requests = 0;
  modelServed: string | null = null;
  /** Tokens of the newest request and its answer. */
  contextUsed: number | null = null;
  usage: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null };

  add(trace: TurnTrace): void {
    if (trace.status !== null) this.requests += 1;
    this.modelServed = trace.modelServed ?? this.modelServed;
    const { usage } = trace;
    this.usage = {
      input: sum(this.usage.input, usage.input),
      output: sum(this.usage.output, usage.output),
      cacheRead: sum(this.usage.cacheRead, usage.cacheRead),
      cacheWrite: sum(this.usage.cacheWrite, usage.cacheWrite),
    };
    if (trace.error !== null || usage.input === null) return;
    this.contextUsed =
      usage.input + (usage.output ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  }

  /** The job goes on elsewhere: what answered before is no proof for there. */
  moved(): void {
    this.requests = 0;
    this.modelServed = null;
  }
}

/** What nobody reported stays null. */
function sum(total: number | null, value: number | null): number | null {
  return value === null ? total : (total ?? 0) + value;
}
