import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { formatPath } from '../configPath.ts';
import { isSameData } from './data.ts';
import { editedData } from './editedData.ts';
import { Pieces } from './pieces.ts';
import { planEdit } from './planEdit.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { SourceText } from './sourceText.ts';
import { type TextReplacement, withReplacements } from './textReplacement.ts';

export type EditResult =
  | {
      readonly isOk: true;
      readonly text: string;
      /** What changes in the text before, in order, not overlapping; empty when nothing does. */
      readonly replacements: readonly TextReplacement[];
    }
  | {
      readonly isOk: false;
      /** For a person: what cannot be done and what to do. */
      readonly message: string;
    };

/**
 * Changes a models.yaml as a person would in an editor: only the lines of what changes, everything else keeps its bytes.
 * Each edit sees the text as the one before it left it. Proven for each edit by reading the new text: it must hold exactly
 * the data that the edit asks for, order included, else nothing is changed at all.
 */
export function editModelsText(text: string, edits: readonly ConfigEdit[]): EditResult {
  const first = SourceText.read(text);
  if (isRefusal(first)) return failed(`The file cannot be changed here. ${first.refused}`);
  const pieces = new Pieces(text);
  let source = first;
  for (const edit of edits) {
    const next = edited(source, edit, pieces);
    if (isRefusal(next)) return failed(`${nameOf(edit)} cannot be changed here. ${next.refused}`);
    source = next;
  }
  return { isOk: true, text: source.text, replacements: pieces.replacements() };
}

function edited(source: SourceText, edit: ConfigEdit, pieces: Pieces): SourceText | Refusal {
  const expected = editedData(source.data, edit);
  if (isRefusal(expected)) return expected;
  if (isSameData(expected, source.data)) return source;
  let refusal = refuse('The change would touch another place as well.');
  for (const isSafe of [false, true]) {
    const plan = planEdit(source, edit, expected, isSafe);
    if (isRefusal(plan)) {
      refusal = plan;
      continue;
    }
    const next = SourceText.read(withReplacements(source.text, plan));
    if (isRefusal(next)) refusal = refuse(`After the change it could not be read: ${next.refused}`);
    else if (isSameData(next.data, expected)) {
      pieces.apply(plan);
      return next;
    }
  }
  return refusal;
}

function failed(message: string): EditResult {
  return { isOk: false, message: `${message} Open the file as YAML to change it.` };
}

function nameOf(edit: ConfigEdit): string {
  return edit.path.length === 0 ? 'The file' : `“${formatPath(edit.path)}”`;
}
