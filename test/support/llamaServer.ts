import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptStep } from '../../tools/scripted-model/scripted-model.mjs';
import { buildScriptedModel } from '../../tools/scripted-model/scripted-model.mjs';
import { type ServerProgram, startServerProgram } from './serverProgram.ts';

export interface LlamaServerOptions {
  /** The program, from tools/llamaServer.mjs. */
  binary: string;
  /** Tool calls, then one text; see tools/scripted-model/README.md. */
  steps: readonly ScriptStep[];
  /**
   * `strict` refuses a system message after the first message, `adjacent` drops a tool result that does not directly
   * follow its call. Default `plain`.
   */
  template?: 'plain' | 'strict' | 'adjacent';
  /** Of all slots together, in tokens. Default 65536. */
  contextTokens?: number;
  /** Default 1. */
  slots?: number;
  apiKey?: string;
}

const START_TIMEOUT_MS = 30_000;
const TEMPLATES = {
  plain: 'template.jinja',
  strict: 'template-strict.jinja',
  adjacent: 'template-adjacent.jinja',
} as const;

/** Starts a real llama.cpp server with a model that plays `steps`; rejects with its output when it does not get ready. */
export async function startLlamaServer(options: LlamaServerOptions): Promise<ServerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'llama-server-'));
  const model = join(folder, 'scripted.gguf');
  const template = `../../tools/scripted-model/${TEMPLATES[options.template ?? 'plain']}`;
  const contextTokens = options.contextTokens ?? 65_536;
  await writeFile(
    model,
    buildScriptedModel({
      steps: options.steps,
      template: await readFile(fileURLToPath(new URL(template, import.meta.url)), 'utf8'),
    }),
  );
  return startServerProgram({
    command: options.binary,
    args: (port) => [
      ...['-m', model, '-c', String(contextTokens), '-np', String(options.slots ?? 1)],
      ...['-t', '1', '--host', '127.0.0.1', '--port', String(port), '--alias', 'scripted'],
      '--metrics',
      ...(options.apiKey === undefined ? [] : ['--api-key', options.apiKey]),
    ],
    readyPath: '/health',
    startTimeoutMs: START_TIMEOUT_MS,
    cleanUp: () => rm(folder, { recursive: true, force: true }),
  });
}
