import { checkSecrets } from '../checkSecrets.ts';
import { formatPath, valueAt } from '../configPath.ts';
import { isGroup } from '../parts.ts';
import type { ModelsFile } from '../schema.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote, quoted } from './importNote.ts';
import type { LiteralKeys } from './literalKeys.ts';

/** The file with references in place of the keys that stand in it, and without logins in addresses. */
export function withoutLiterals(
  file: ModelsFile,
  literals: LiteralKeys,
): { file: ModelsFile; notes: string[] } {
  const notes: string[] = [];
  const copy = structuredClone(file);
  for (const [name, entry] of Object.entries(copy.endpoints ?? {})) {
    const url = URL.parse(entry.base_url ?? '');
    if (url !== null && (url.username !== '' || url.password !== '')) {
      url.username = url.password = '';
      entry.base_url = serverRoot(url.href);
      notes.push(
        importNote(
          `The address of ${quoted(name)} held a login, which is not written: put it in api_key or headers as \${secret:NAME}.`,
        ),
      );
    }
    const proxy = URL.parse(entry.proxy ?? '');
    if (proxy !== null && (proxy.username !== '' || proxy.password !== ''))
      entry.proxy = literals.refer(`${name}-proxy`, entry.proxy ?? '', `endpoints.${name}.proxy`);
  }
  for (const { code, path, suggestion } of checkSecrets(copy)) {
    if (code !== 'literal_secret') continue;
    const value = valueAt(copy, path);
    const group = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof value !== 'string' || !isGroup(group) || key === undefined) continue;
    const wish = /^\$\{secret:(.*)\}$/.exec(suggestion ?? '')?.[1] ?? 'imported';
    group[key] = literals.refer(wish, value, importNote(formatPath(path)));
  }
  return { file: copy, notes };
}
