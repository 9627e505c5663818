import { splitTokens } from './countTokens.ts';
import { asString, type JsonObject } from './json.ts';
import type { Slots } from './slots.ts';

export interface ServedModel {
  id: string;
  contextTokens: number;
  /** Unix time in seconds. */
  createdS: number;
}

/** GET /v1/models, in the shape that llama.cpp and OpenAI share. */
export function modelsPage(model: ServedModel): JsonObject {
  return {
    object: 'list',
    data: [
      {
        id: model.id,
        object: 'model',
        created: model.createdS,
        // Tells clients whose /props, /slots and /metrics to expect; the id says what really answers.
        owned_by: 'llamacpp',
        meta: { n_ctx: model.contextTokens },
      },
    ],
  };
}

/** GET /props, as far as a client asks for window and slots. */
export function propsPage(model: ServedModel, slots: Slots): JsonObject {
  return {
    default_generation_settings: { n_ctx: model.contextTokens },
    total_slots: slots.total,
    model_alias: model.id,
    model_path: 'rehearsal',
    build_info: 'rehearsal',
    chat_template_caps: { supports_tools: true, supports_tool_calls: true },
    is_sleeping: false,
  };
}

/** GET /metrics, with the names of llama.cpp and our own true counts. */
export function metricsPage(slots: Slots): string {
  const counts = slots.counts();
  const rows: [string, 'counter' | 'gauge', string, number][] = [
    ['prompt_tokens_total', 'counter', 'Number of prompt tokens processed', counts.promptTokens],
    ['prompt_tokens_cached_total', 'counter', 'Number of prompt tokens reused from the cache', 0],
    ['tokens_predicted_total', 'counter', 'Number of tokens generated', counts.predictedTokens],
    [
      'tokens_predicted_seconds_total',
      'counter',
      'Total time spent generating tokens',
      counts.predictedSeconds,
    ],
    ['requests_processing', 'gauge', 'Number of requests processing', counts.processing],
    ['requests_deferred', 'gauge', 'Number of requests deferred', counts.deferred],
  ];
  return rows
    .map(
      ([name, type, help, value]) =>
        `# HELP llamacpp:${name} ${help}\n# TYPE llamacpp:${name} ${type}\nllamacpp:${name} ${value}\n`,
    )
    .join('');
}

/** POST /tokenize: the same pieces that are counted, each with a stable number. */
export function tokenizePage(body: JsonObject): JsonObject {
  const tokens = splitTokens(asString(body['content']) ?? '').map((piece) => {
    let id = 0;
    for (const letter of piece) id = (id * 31 + (letter.codePointAt(0) ?? 0)) % 65_536;
    return id;
  });
  return { tokens };
}
