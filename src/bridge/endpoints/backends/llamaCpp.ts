import { asArray, asObject, asPositive, asCount, type JsonObject } from '../jsonValue.ts';
import { hasAnyCounter, parseMetrics } from '../metrics.ts';
import type { Findings, ModelEntry, ProbeContext } from '../probeContext.ts';

/**
 * What a llama-server says about itself: window per slot, slots, load. In router mode per model,
 * and only for those already loaded.
 */
export async function askLlamaCpp(context: ProbeContext): Promise<Findings> {
  return context.entries.some((entry) => asObject(entry.raw['status']) !== null)
    ? askRouter(context)
    : askSingle(context);
}

async function askSingle(context: ProbeContext): Promise<Findings> {
  const [propsReply, slotsReply, metricsReply] = await Promise.all([
    context.ask({ path: '/props' }),
    context.ask({ path: '/slots' }),
    context.ask({ path: '/metrics' }),
  ]);
  const props = propsReply?.status === 200 ? asObject(propsReply.json) : null;
  const isList = slotsReply?.status === 200 && Array.isArray(slotsReply.json);
  const slots = isList ? asArray(slotsReply.json) : null;
  const total = slots?.length ?? asPositive(props?.['total_slots']);
  const counters = metricsReply?.status === 200 ? parseMetrics(metricsReply.text) : null;
  const hasMetrics = counters !== null && hasAnyCounter(counters);
  return {
    // The list of models needs no key in some versions while everything else does.
    needsKey: propsReply?.status === 401,
    models: context.entries.map((entry) => ({
      id: entry.id,
      loaded: true,
      ...windowOf(props, entry),
      ...toolsOf(props),
    })),
    slots:
      total === null ? null : { total, busy: slots === null ? null : slots.filter(isBusy).length },
    load: hasMetrics
      ? {
          running: counters.requestsRunning,
          waiting: counters.requestsWaiting,
          kvUsage: counters.kvUsage,
        }
      : null,
    hasMetrics,
    hasTokenize: true,
  };
}

async function askRouter(context: ProbeContext): Promise<Findings> {
  const models = await Promise.all(
    context.entries.map(async (entry) => {
      const loaded = asObject(entry.raw['status'])?.['value'] === 'loaded';
      if (!loaded) return { id: entry.id, loaded };
      // Without autoload=false the question itself would load a model.
      const query = `model=${encodeURIComponent(entry.id)}&autoload=false`;
      const reply = await context.ask({ path: `/props?${query}` });
      const props = reply?.status === 200 ? asObject(reply.json) : null;
      return { id: entry.id, loaded, ...windowOf(props, entry), ...toolsOf(props) };
    }),
  );
  return { models, hasTokenize: true };
}

interface Window {
  readonly context?: number;
  readonly contextSource?: string;
}

function windowOf(props: JsonObject | null, entry: ModelEntry): Window {
  const perSlot = asPositive(asObject(props?.['default_generation_settings'])?.['n_ctx']);
  if (perSlot !== null) return { context: perSlot, contextSource: 'llama.cpp:/props n_ctx' };
  const listed = asPositive(asObject(entry.raw['meta'])?.['n_ctx']);
  return listed === null ? {} : { context: listed, contextSource: 'llama.cpp:/v1/models n_ctx' };
}

function toolsOf(props: JsonObject | null): { readonly claimsTools?: boolean } {
  const claim = asObject(props?.['chat_template_caps'])?.['supports_tool_calls'];
  return typeof claim === 'boolean' ? { claimsTools: claim } : {};
}

function isBusy(slot: unknown): boolean {
  const flag = asObject(slot)?.['is_processing'];
  return flag === true || (asCount(flag) ?? 0) > 0;
}
