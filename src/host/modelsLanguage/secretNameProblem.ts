const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** What is wrong with the name of a secret, as an input box says it; null: nothing. */
export function secretNameProblem(name: string): string | null {
  if (name === '') return 'A name is needed.';
  return NAME.test(name) ? null : 'A name has letters, digits, ".", "_" and "-".';
}
