export type ScriptStep = { tool: string; input: object } | { text: string };

export interface ScriptedModelOptions {
  /** Tool calls, then one text. */
  steps: readonly ScriptStep[];
  /** Tokens the model claims to support; default 131072. */
  contextLength?: number;
  /** A Jinja chat template; default: template.jinja beside this file. */
  template?: string;
  /** The text that the template writes once for each tool result. */
  marker?: string;
}

/** Compiles a script into the bytes of a GGUF file; throws a ScriptError when it cannot be played. */
export function buildScriptedModel(options: ScriptedModelOptions): Buffer;
