import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ServerProgram, startServerProgram } from './serverProgram.ts';

export interface LiteLlmOptions {
  /** The program, from tools/liteLlm.mjs. */
  readonly binary: string;
  readonly masterKey: string;
  /** What stands behind each alias. */
  readonly models: Readonly<
    Record<string, { provider: 'openai' | 'anthropic'; model: string; url: string }>
  >;
}

const START_TIMEOUT_MS = 90_000;

/** Starts a real LiteLLM proxy in front of model servers; rejects with its output when it does not get ready. */
export async function startLiteLlm(options: LiteLlmOptions): Promise<ServerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'litellm-'));
  const config = join(folder, 'config.yaml');
  await writeFile(
    config,
    stringify({
      model_list: Object.entries(options.models).map(([name, { provider, model, url }]) => ({
        model_name: name,
        litellm_params: {
          model: `${provider}/${model}`,
          api_base: provider === 'openai' ? `${url}/v1` : url,
          api_key: 'none',
        },
      })),
      litellm_settings: { drop_params: true, telemetry: false },
      general_settings: { master_key: options.masterKey },
    }),
  );
  return startServerProgram({
    command: options.binary,
    args: (port) => [
      ...['--config', config, '--host', '127.0.0.1', '--port', String(port)],
      ...['--telemetry', 'False'],
    ],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, NO_PROXY: '*' },
    cwd: folder,
    readyPath: '/health/liveliness',
    startTimeoutMs: START_TIMEOUT_MS,
    cleanUp: () => rm(folder, { recursive: true, force: true }),
  });
}
