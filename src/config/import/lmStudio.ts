import { isGroup } from '../parts.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote } from './importNote.ts';
import type { Imported } from './imported.ts';
import { LiteralKeys } from './literalKeys.ts';

/**
 * An LM Studio by its own list (`/api/v0/models`, or `/v1/models` of an older one): one endpoint. No facts about models are written:
 * the window of a loaded model is asked for on every call, and that of another one is only known once it is loaded.
 * @param isOwnList it has answered with the list that only LM Studio has, so that the kind of server is known
 */
export function lmStudio(baseUrl: string, list: unknown, isOwnList: boolean): Imported {
  const items = isGroup(list) && Array.isArray(list['data']) ? list['data'] : [];
  const models = items.filter((item) => isGroup(item) && typeof item['id'] === 'string') as Record<
    string,
    unknown
  >[];
  const chat = models.filter((model) => model['type'] !== 'embeddings');
  const loaded = chat.filter((model) => model['state'] === 'loaded').length;
  const saysState = chat.some((model) => typeof model['state'] === 'string');
  const notes: string[] = [];
  if (chat.length === 0) notes.push('LM Studio has no model for chat yet.');
  else
    notes.push(
      importNote(
        `It has ${chat.length === 1 ? 'one model' : `${chat.length} models`}${saysState ? `, ${loaded} loaded` : ''}; they are not listed in the file, because they are asked for on every call.`,
      ),
    );
  const embedding = models.length - chat.length;
  if (embedding > 0)
    notes.push(
      embedding === 1
        ? 'One of its models is for embeddings and is not offered.'
        : `${embedding} of its models are for embeddings and are not offered.`,
    );
  if (!isOwnList)
    notes.push('It has no list as LM Studio has one; what it is, is found out by asking.');
  return {
    file: {
      endpoints: {
        lmstudio: { base_url: serverRoot(baseUrl), ...(isOwnList ? { backend: 'lmstudio' } : {}) },
      },
    },
    notes,
    literals: new LiteralKeys(),
  };
}
