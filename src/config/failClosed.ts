import type { ConfigFileState } from './configFile.ts';
import type { ConfigProblem } from './problem.ts';
import type { ModelsFile } from './schema.ts';
import { wholeFileProblem } from './wholeFileProblem.ts';

/**
 * The settings of a file, with the strictest value where a broken part could have said something strict. A policy that
 * cannot be read must not become the default, which would let a job out that the file meant to keep in; the same for the
 * files that a person has to review.
 */
export function failClosed(
  state: ConfigFileState,
  file: string,
): { value: ModelsFile; warnings: ConfigProblem[] } {
  let value = state.value;
  const warnings: ConfigProblem[] = [];
  const warn = (path: string, message: string) =>
    warnings.push({ ...wholeFileProblem(file, 'fail_closed', message), path, severity: 'warning' });
  if (value.defaults?.policy === undefined && mayHoldPolicy(state)) {
    value = { ...value, defaults: { ...value.defaults, policy: 'local-only' } };
    warn(
      'defaults.policy',
      'until the file is mended, jobs run local-only: its policy cannot be read',
    );
  }
  if (value.review?.required_for === undefined && mayHold(state, 'review', 'required_for')) {
    value = { ...value, review: { ...value.review, required_for: ['**'] } };
    warn(
      'review.required_for',
      'until the file is mended, every change needs a review: the list of files cannot be read',
    );
  }
  return { value, warnings };
}

function mayHoldPolicy(state: ConfigFileState): boolean {
  if (mayHold(state, 'defaults', 'policy')) return true;
  // `polcy: local-only` is a policy with a slip of the finger.
  return state.problems.some(
    ({ suggestion }) => suggestion === 'policy' || suggestion === 'defaults',
  );
}

function mayHold(state: ConfigFileState, section: string, key: string): boolean {
  return state.absent.some(
    ([name, entry]) =>
      name === undefined || (name === section && (entry === undefined || entry === key)),
  );
}
