import type { ToolContext } from './tool.ts';

const MAX_MODELS = 20;
const MAX_LIVENESS_LENGTH = 100;

/** The first endpoint of the configuration, which is the backend there, with the field names of delegate-local; and all others. */
export async function delegateLocalBackend({
  bridge,
  defaultCwd,
  signal,
}: ToolContext): Promise<Record<string, unknown>> {
  const settings = await bridge.effectiveConfig(defaultCwd);
  const { endpoints, defaultModel } = await bridge.listModels({ cwd: defaultCwd, signal });
  const [backend] = endpoints;
  const common = {
    configured_url: backend?.baseUrl ?? null,
    default_model: defaultModel,
    agents_dir: settings.runners.loop.agents_dir,
  };
  if (backend === undefined) return { ...common, error: 'No endpoint is configured.' };
  const { probe } = backend;
  const models = probe.models.map((model) => model.id);
  return {
    ...common,
    liveness: (probe.message ?? probe.state).slice(0, MAX_LIVENESS_LENGTH),
    // Servers are asked in their own way here, not at the one address that a status would be of.
    liveness_status: null,
    liveness_ms: Math.round(probe.latencyMs),
    ...(probe.state === 'down'
      ? { error: [probe.message ?? 'down', probe.hint].filter(Boolean).join(' ') }
      : { available_models: models.slice(0, MAX_MODELS), model_count: models.length }),
    endpoint: backend.name,
    backend: probe.backend,
    endpoints: endpoints.map((endpoint) => ({
      name: endpoint.name,
      url: endpoint.baseUrl,
      state: endpoint.probe.state,
      models: endpoint.probe.models.length,
    })),
  };
}
