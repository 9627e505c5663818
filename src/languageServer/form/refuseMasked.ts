import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { MASKED } from '../../protocol/modelsLanguage/formState.ts';

/** Why these edits cannot be made: they would write what stands for a hidden key in its place. Null: they can. */
export function refuseMasked(edits: readonly ConfigEdit[]): string | null {
  const isMasked = edits.some(
    (edit) => edit.kind === 'set' && JSON.stringify(edit.value).includes(MASKED),
  );
  return isMasked
    ? 'A key that stands in the file is hidden here, and this would overwrite it. Move it to the secret store, or change it as YAML.'
    : null;
}
