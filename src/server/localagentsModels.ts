import type { EndpointView, ModelsOverview } from '../bridge/bridgeTypes.ts';
import type { DownReason } from '../bridge/endpoints/endpointProbe.ts';

/** That system says whether the machine is up: a closed port proves that it is. */
const HOST_STATE: Readonly<Record<DownReason, 'up' | 'down' | 'unknown'>> = {
  port_closed: 'up',
  host_down: 'down',
  timed_out: 'unknown',
  wants_key: 'up',
  loading: 'up',
  not_a_model_server: 'up',
  error: 'unknown',
};

/** The overview with the field names of localagents. */
export function localagentsModels(overview: ModelsOverview, cwd: string): Record<string, unknown> {
  return {
    guidance: overview.guidance,
    config: overview.configFile,
    server_cwd: cwd,
    default_model: overview.defaultModel,
    endpoints: Object.fromEntries(
      overview.endpoints.map((view) => [view.name, endpointFields(view)]),
    ),
  };
}

function endpointFields(view: EndpointView): Record<string, unknown> {
  return {
    base_url: view.baseUrl,
    backend: view.probe.backend,
    notes: view.notes,
    host_label: view.host,
    ...localagentsProbe(view.probe),
  };
}

export function localagentsProbe(probe: EndpointView['probe']): Record<string, unknown> {
  const models = probe.models.map((model) => model.id);
  if (probe.state === 'down') {
    return { up: false, models, host: HOST_STATE[probe.why ?? 'error'], error: probe.message };
  }
  const windows = probe.models.flatMap(({ id, context }) =>
    context === null ? [] : [[id, context] as const],
  );
  const sources = probe.models.flatMap(({ contextSource }) => contextSource ?? []);
  const warnings = [...probe.warnings, ...probe.models.flatMap(({ warning }) => warning ?? [])];
  const { slots, load } = probe;
  return {
    up: true,
    host: 'up',
    models,
    latency_ms: Math.round(probe.latencyMs),
    ...(windows.length === 0 ? {} : { context: Object.fromEntries(windows) }),
    ...(sources[0] === undefined ? {} : { context_source: sources[0] }),
    ...(warnings.length === 0 ? {} : { context_warning: warnings.join(' ') }),
    ...(slots === null
      ? {}
      : {
          slots:
            slots.busy === null
              ? { total: slots.total }
              : { ...slots, free: slots.total - slots.busy },
        }),
    ...(load === null
      ? {}
      : {
          load: {
            requests_running: load.running,
            requests_waiting: load.waiting,
            kv_cache_usage: load.kvUsage,
          },
        }),
    ...(probe.hasMetrics ? { metrics: true } : {}),
  };
}
