import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  settings: { 'files.autoSave': 'off' },
  isForOldest: true,
  timeoutMs: 6 * 60_000,
  prepare: ({ repo, rehearsal }) => {
    const folder = join(repo.scratch, 'config', 'localagents');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'models.yaml'),
      `endpoints:
  tower: { base_url: http://tower:8080/v1, backend: llama-cpp, host: tower }
  rehearsal: { base_url: ${rehearsal.url} }
defaults: { max_turns: 80 }
`,
    );
    writeFileSync(
      join(repo.scratch, 'litellm.yaml'),
      `model_list:
  - model_name: far
    litellm_params: { model: openai/far, api_base: "http://far.example:8000/v1", api_key: sk-known-and-hushed }
  - model_name: azure
    litellm_params: { model: azure/gpt, api_base: "https://x.openai.azure.com" }
`,
    );
  },
};
