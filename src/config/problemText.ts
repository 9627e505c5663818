import type { ConfigProblem } from './problem.ts';

/** What a problem says, without its place: the same words in the server, on the command line, in the editor and in the form. */
export function problemText({
  message,
  suggestion,
}: Pick<ConfigProblem, 'message' | 'suggestion'>): string {
  return suggestion === null ? message : `${message} - did you mean "${suggestion}"?`;
}
