import type { ModelsOverview } from '../../src/protocol/ui/uiTools.ts';

type Endpoint = ModelsOverview['endpoints'][number];
type Probe = Endpoint['probe'];

/** What `list_models` answers, with one endpoint that is up. */
export function overview(fields: Partial<ModelsOverview> = {}): ModelsOverview {
  return {
    configFile: '/home/ann/.config/delegation-bridge/models.yaml',
    isConfigured: true,
    configured: ['tower'],
    isProbed: true,
    untrusted: [],
    defaultModel: null,
    endpoints: [endpoint()],
    pools: [{ name: 'default', slots: 6, inUse: 0, waiting: [] }],
    ...fields,
  };
}

export function endpoint(fields: Partial<Endpoint> = {}): Endpoint {
  return {
    name: 'tower',
    baseUrl: 'http://127.0.0.1:8080',
    host: '127.0.0.1',
    notes: '',
    locality: 'local',
    maxConcurrent: 1,
    inUse: 1,
    pause: null,
    probe: probe(),
    ...fields,
  };
}

export function probe(fields: Partial<Probe> = {}): Probe {
  return {
    state: 'up',
    why: null,
    message: null,
    hint: '',
    backend: 'llama.cpp',
    models: [servedModel()],
    listsModels: true,
    slots: { total: 1, busy: 1 },
    load: null,
    latencyMs: 3,
    warnings: [],
    ...fields,
  };
}

export function servedModel(
  fields: Partial<Probe['models'][number]> = {},
): Probe['models'][number] {
  return {
    id: 'Qwen3.8-27B',
    context: 131_072,
    contextSource: 'llama.cpp:/props n_ctx',
    warning: null,
    loaded: true,
    claimsTools: true,
    remoteHost: null,
    ...fields,
  };
}
