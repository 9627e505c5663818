import type { ConfigFileState } from './configFile.ts';
import type { ModelsFile } from './schema.ts';

/**
 * The settings of a file, with the strictest value where a broken part could have said something strict. A policy that
 * cannot be read must not become the default, which would let a job out that the file meant to keep in; the same for the
 * files that a person has to review.
 */
export function failClosed(state: ConfigFileState): ModelsFile {
  let value = state.value;
  if (value.defaults?.policy === undefined && mayHoldPolicy(state)) {
    value = { ...value, defaults: { ...value.defaults, policy: 'local-only' } };
  }
  if (value.review?.required_for === undefined && mayHold(state, 'review', 'required_for')) {
    value = { ...value, review: { ...value.review, required_for: ['**'] } };
  }
  return value;
}

function mayHoldPolicy(state: ConfigFileState): boolean {
  if (mayHold(state, 'defaults', 'policy')) return true;
  // `polcy: local-only` is a policy with a slip of the finger.
  return state.problems.some(
    (problem) => problem.suggestion === 'policy' || problem.suggestion === 'defaults',
  );
}

function mayHold(state: ConfigFileState, section: string, key: string): boolean {
  return state.absent.some(
    ([name, entry]) =>
      name === undefined || (name === section && (entry === undefined || entry === key)),
  );
}
