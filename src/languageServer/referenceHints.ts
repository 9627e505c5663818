import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { textsWithReferences } from '../config/checkSecrets.ts';
import { referencesIn } from '../config/secrets.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import { entryOfPath } from './spanOfPath.ts';

/** Not what the server says: it may have another environment than the editor. */
const HINT_SOURCE = 'delegation-bridge (this window)';

/**
 * References that lead nowhere as far as this window knows. Only information: the processes that resolve them say so when they cannot, and
 * may know better.
 */
export function referenceHints(
  doc: ModelsDocument,
  env: Readonly<Record<string, string | undefined>>,
): Diagnostic[] {
  if (!doc.isOurs) return [];
  const { document, live, outline } = doc;
  return textsWithReferences(doc.parsed.parts).flatMap(({ path, text }) =>
    referencesIn(text).flatMap((reference) => {
      const message = missing(reference, env, live.secrets);
      const entry = entryOfPath(outline, path);
      if (message === null || entry === null) return [];
      const written = `\${${reference}}`;
      const source = document.getText().slice(entry.value.start, entry.value.end);
      const inside = Math.max(source.indexOf(written), 0);
      const start = entry.value.start + inside;
      return [
        {
          range: {
            start: document.positionAt(start),
            end: document.positionAt(Math.min(start + written.length, entry.value.end)),
          },
          severity: DiagnosticSeverity.Information,
          source: HINT_SOURCE,
          code: reference.startsWith('env:') ? 'env_not_set' : 'secret_not_kept',
          message,
        },
      ];
    }),
  );
}

function missing(
  reference: string,
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[] | null,
): string | null {
  const name = reference.slice(reference.indexOf(':') + 1);
  if (reference.startsWith('env:')) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined || value === ''
      ? `the variable ${name} is not set for this window`
      : null;
  }
  return secrets === null || secrets.includes(name) ? null : `no secret "${name}" is kept here yet`;
}
