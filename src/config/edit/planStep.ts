import { isScalar, isSeq } from 'yaml';
import type { ConfigPath } from '../configPath.ts';
import { type Data, dataAt, isDataMap } from './data.ts';
import { withValue } from './editedData.ts';
import { isCollection } from './members.ts';
import { isEmptyCollection, isNothing, memberOf, placeOf } from './place.ts';
import { planAdd } from './planAdd.ts';
import { planMove } from './planMove.ts';
import { planRemove } from './planRemove.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { linesText, replaceValue } from './replaceValue.ts';
import { scalarText } from './scalarText.ts';
import type { SourceText } from './sourceText.ts';
import { styleAt } from './styleAt.ts';
import type { TextStep } from './textSteps.ts';
import type { TextReplacement } from './textReplacement.ts';
import { entryText } from './valueText.ts';

/** The replacements that make one step, in order and not overlapping. */
export function planStep(
  source: SourceText,
  step: TextStep,
  isSafe: boolean,
): readonly TextReplacement[] | Refusal {
  if (step.kind === 'set') {
    const expected = withValue(source.data, step.path, step.value);
    return isRefusal(expected) ? expected : planSet(source, step.path, expected, isSafe);
  }
  const place = placeOf(source, step.path);
  const target = place.steps.at(-1);
  if (target === undefined || place.rest.length > 0) {
    return refuse('It is not written there itself: it comes in through an alias or a merge key.');
  }
  if (step.kind === 'insert') {
    const list = memberOf(target).value;
    return isSeq(list) ? planAdd(source, list, step, isSafe) : refuse('It is no list.');
  }
  if (step.kind === 'drop') return planRemove(source, place);
  if (step.kind === 'move') return planMove(source, target, step.to);
  const { key } = memberOf(target);
  if (!isScalar(key) || !key.range) return refuse('Its name is not a plain text.');
  const name = scalarText(step.to, {
    isFlow: target.collection.flow === true,
    style: isSafe ? 'QUOTE_DOUBLE' : (key.type ?? null),
  });
  return [{ start: key.range[0], end: key.range[1], newText: name }];
}

function planSet(
  source: SourceText,
  path: ConfigPath,
  expected: Data,
  isSafe: boolean,
): readonly TextReplacement[] | Refusal {
  const { steps, rest } = placeOf(source, path);
  const step = steps.at(-1);
  const written = path.slice(0, path.length - rest.length);
  if (rest.length === 0) {
    if (step === undefined) return refuse('The whole file is not replaced.');
    return replaceValue(
      source,
      step.collection,
      memberOf(step),
      dataAt(expected, path) ?? null,
      isSafe,
    );
  }
  const [segment = ''] = rest;
  const holder = step === undefined ? source.document.contents : memberOf(step).value;
  // What came in from elsewhere, such as a group of a merge key, is written out whole with the change.
  const value = dataAt(expected, [...written, segment]) ?? null;
  if (isCollection(holder) && !isEmptyCollection(holder)) {
    return planAdd(source, holder, { at: segment, value }, isSafe);
  }
  if (step !== undefined) {
    const whole = dataAt(expected, written) ?? null;
    return replaceValue(source, step.collection, memberOf(step), whole, isSafe);
  }
  return planFirst(source, expected, isSafe);
}

/** The first key of a file without any. */
function planFirst(
  source: SourceText,
  expected: Data,
  isSafe: boolean,
): readonly TextReplacement[] | Refusal {
  const contents = source.document.contents;
  if (!isDataMap(expected)) return refuse('A file is a group of keys.');
  const style = styleAt(source, null, null, isSafe);
  const lines = [...expected].flatMap(([key, value]) => entryText(key, value, style, 0));
  const [start, end] = contents?.range ?? [0, 0];
  if (start < end) {
    if (!isNothing(contents) && !isEmptyCollection(contents))
      return refuse('The file is no group.');
    return [{ start, end, newText: lines.join(source.eolAt(start)) }];
  }
  const at = source.appendAt;
  return [{ start: at, end: at, newText: linesText(source, at, lines) }];
}
