/**
 * Whether a model answered that was not asked for. Not so when either name is unknown, when they differ in case alone, or when the one
 * is known to be the other's name: by `answers_as`, or because that is what the endpoint called it when it was asked for that very model
 * and nothing else.
 */
export function isOtherModel(
  asked: string | null,
  answered: string | null,
  known: { readonly answersAs: readonly string[]; readonly learned: string | null },
): boolean {
  if (asked === null || answered === null) return false;
  const names = [asked, ...known.answersAs, ...(known.learned === null ? [] : [known.learned])];
  return !names.some((name) => name.toLowerCase() === answered.toLowerCase());
}
