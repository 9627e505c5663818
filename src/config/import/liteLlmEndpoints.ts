import type { ModelsFile } from '../schema.ts';
import { importNote, quoted } from './importNote.ts';
import { importName } from './importName.ts';
import type { Deployment } from './liteLlmDeployment.ts';

type Endpoint = NonNullable<ModelsFile['endpoints']>[string];

/** Deployments as endpoints: what has one address is one endpoint, with a key for each model where they differ. */
export function liteLlmEndpoints(deployments: readonly Deployment[]): {
  file: ModelsFile;
  notes: string[];
} {
  const notes: string[] = [];
  const byRoot = new Map<string, Deployment[]>();
  for (const each of deployments) {
    const same = byRoot.get(each.root) ?? [];
    same.push(each);
    byRoot.set(each.root, same);
  }
  const endpoints = new Map<string, Endpoint>();
  for (const [root, same] of byRoot) {
    const [first] = same;
    if (first === undefined) continue;
    const keys = keysOf(same, notes);
    const backend = same.find((each) => each.backend !== 'other')?.backend ?? 'other';
    endpoints.set(importName(wishOf(first), [...endpoints.keys()]), {
      base_url: root,
      ...(backend === 'other' ? {} : { backend }),
      // Ollama and LM Studio speak both; a protocol that only this entry names is found by asking.
      ...(keys === '' ? {} : { api_key: keys }),
    });
  }
  const facts = new Map<string, Deployment['facts']>();
  for (const { model, facts: own } of deployments)
    if (Object.keys(own).length > 0) facts.set(model, { ...own, ...facts.get(model) });
  return {
    file: {
      ...(endpoints.size === 0 ? {} : { endpoints: Object.fromEntries(endpoints) }),
      ...(facts.size === 0 ? {} : { models: Object.fromEntries(facts) }),
    },
    notes,
  };
}

/** One key for all, or one for each model. */
function keysOf(same: readonly Deployment[], notes: string[]): string | Record<string, string> {
  const byModel = new Map<string, string>();
  for (const { model, key, alias } of same) {
    const held = byModel.get(model);
    if (held === undefined) byModel.set(model, key);
    else if (held !== key)
      notes.push(
        importNote(`${quoted(alias)} has several keys for one server; only the first is taken.`),
      );
  }
  const keys = new Set(byModel.values());
  if (keys.size <= 1) return [...keys][0] ?? '';
  return Object.fromEntries([...byModel].filter(([, key]) => key !== ''));
}

function wishOf({ provider, root, backend }: Deployment): string {
  const { hostname = '', port = '' } = URL.parse(root) ?? {};
  const isHere = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname);
  if (
    backend !== 'other' ||
    !['openai', 'anthropic', 'custom_openai', 'llamafile'].includes(provider)
  )
    return backend === 'vllm' ||
      backend === 'lmstudio' ||
      backend === 'ollama' ||
      backend === 'litellm'
      ? backend
      : provider.replaceAll('_', '-');
  return isHere ? `local${port === '' ? '' : `-${port}`}` : hostname;
}
