import { isGroup } from '../parts.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote, quoted } from './importNote.ts';
import type { Imported } from './imported.ts';
import { LiteralKeys } from './literalKeys.ts';

/**
 * An Ollama by its own list (`/api/tags`): one endpoint. No facts about models are written: which are loaded and with which window
 * is asked for on every call, and Ollama changes both by itself.
 */
export function ollama(baseUrl: string, tags: unknown): Imported {
  const models = modelsOf(tags);
  const cloud = models.filter(({ isCloud }) => isCloud).map(({ name }) => quoted(name));
  const notes: string[] = [];
  if (models.length === 0) notes.push('Ollama has no models yet: "ollama pull NAME" fetches one.');
  else
    notes.push(
      importNote(
        `It has ${models.length === 1 ? 'one model' : `${models.length} models`}; they are not listed in the file, because they are asked for on every call.`,
      ),
    );
  if (cloud.length > 0)
    notes.push(
      importNote(
        `${cloud.slice(0, 6).join(', ')}${cloud.length > 6 ? ` and ${cloud.length - 6} more` : ''} ${cloud.length === 1 ? 'runs' : 'run'} in Ollama's cloud: local-only jobs do not use ${cloud.length === 1 ? 'it' : 'them'}.`,
      ),
    );
  return {
    file: { endpoints: { ollama: { base_url: serverRoot(baseUrl), backend: 'ollama' } } },
    notes,
    literals: new LiteralKeys(),
  };
}

function modelsOf(tags: unknown): { name: string; isCloud: boolean }[] {
  const list = isGroup(tags) && Array.isArray(tags['models']) ? tags['models'] : [];
  return list.flatMap((item: unknown) => {
    if (!isGroup(item)) return [];
    const name = item['name'] ?? item['model'];
    if (typeof name !== 'string') return [];
    const isCloud = /[:-]cloud$/.test(name) || typeof item['remote_host'] === 'string';
    return [{ name, isCloud }];
  });
}
