import type { Usage } from '../../protocol/job.ts';
import type { Exchange } from './exchange.ts';

/** What the gateway carried, over all requests. */
export class GatewayTotals {
  requests = 0;
  answered = 0;
  modelServed: string | null = null;
  contextUsed: number | null = null;
  usage: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null };

  add({ record, request, isCarried }: Exchange): void {
    if (!isCarried || !/^\/v1\/messages(\?|$)/.test(record.path)) return;
    this.requests += 1;
    const { usage } = record;
    this.usage = {
      input: sum(this.usage.input, usage.input),
      output: sum(this.usage.output, usage.output),
      cacheRead: sum(this.usage.cacheRead, usage.cacheRead),
      cacheWrite: sum(this.usage.cacheWrite, usage.cacheWrite),
    };
    this.modelServed = record.modelAnswered ?? this.modelServed;
    if (record.error !== null) return;
    this.answered += 1;
    // Subagents and side requests (a title, say) have windows of their own; Claude Code marks the former.
    const isSideRequest = record.tools === 0 && this.contextUsed !== null;
    const isSubagent = request.headers['x-claude-code-agent-id'] !== undefined;
    if (isSubagent || isSideRequest || usage.input === null) return;
    this.contextUsed =
      usage.input + (usage.output ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  }
}

function sum(total: number | null, value: number | null): number | null {
  return value === null ? total : (total ?? 0) + value;
}
