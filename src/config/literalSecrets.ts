import { checkSecrets } from './checkSecrets.ts';
import { formatPath, valueAt } from './configPath.ts';
import { parseModelsText } from './parse.ts';

/** The keys that stand written out in a models.yaml, by where they stand: what must not be shown of its text. */
export function literalSecrets(text: string): Readonly<Record<string, string>> {
  const { parts } = parseModelsText(text, '');
  return Object.fromEntries(
    checkSecrets(parts).flatMap(({ code, path }) => {
      const value = valueAt(parts, path);
      return code === 'literal_secret' && typeof value === 'string'
        ? [[formatPath(path), value]]
        : [];
    }),
  );
}
