import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { formatPath } from '../configPath.ts';
import { isSameData } from './data.ts';
import { editedData } from './editedData.ts';
import { Pieces } from './pieces.ts';
import { placeOf } from './place.ts';
import { planStep } from './planStep.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { SourceText } from './sourceText.ts';
import { type TextStep, textSteps } from './textSteps.ts';
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

/** Characters that may be read again for the steps of one edit; about ten seconds, and far above what a person does at once. */
const MAX_WORK = 20_000_000;

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

/** The text after an edit, which `pieces` then has as well. */
function edited(source: SourceText, edit: ConfigEdit, pieces: Pieces): SourceText | Refusal {
  const expected = editedData(source.data, edit);
  if (isRefusal(expected)) return expected;
  if (isSameData(expected, source.data)) return source;
  if (edit.kind === 'remove' && placeOf(source, edit.path).rest.length > 0) {
    return refuse('It is not written there itself: it comes in through an alias or a merge key.');
  }
  const steps = textSteps(source, edit, expected);
  if (steps.length * source.text.length > MAX_WORK) {
    return refuse('These are too many changes of so large a file.');
  }
  let refusal = refuse('The change would touch another place as well.');
  for (const isSafe of [false, true]) {
    const made = takeSteps(source, steps, isSafe);
    if (isRefusal(made)) refusal = made;
    else if (isSameData(made.source.data, expected)) {
      for (const plan of made.plans) pieces.apply(plan);
      return made.source;
    }
  }
  return refusal;
}

interface Taken {
  readonly source: SourceText;
  /** Each for the text that the one before left. */
  readonly plans: readonly (readonly TextReplacement[])[];
}

function takeSteps(
  first: SourceText,
  steps: readonly TextStep[],
  isSafe: boolean,
): Taken | Refusal {
  const plans: (readonly TextReplacement[])[] = [];
  let source = first;
  for (const step of steps) {
    const plan = planStep(source, step, isSafe);
    if (isRefusal(plan)) return plan;
    const next = SourceText.read(withReplacements(source.text, plan));
    if (isRefusal(next)) return refuse(`After the change it could not be read: ${next.refused}`);
    plans.push(plan);
    source = next;
  }
  return { source, plans };
}

function failed(message: string): EditResult {
  return { isOk: false, message: `${message} Open the file as YAML to change it.` };
}

function nameOf(edit: ConfigEdit): string {
  return edit.path.length === 0 ? 'The file' : `"${formatPath(edit.path)}"`;
}
