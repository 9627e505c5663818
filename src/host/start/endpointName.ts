const NAME = /^(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const RESERVED = ['constructor', 'prototype', '__proto__'];

/** Why a text cannot be the name of a new endpoint; null when it can. */
export function endpointNameProblem(text: string, taken: readonly string[]): string | null {
  const name = text.trim();
  if (name === '') return 'A name is needed: jobs and lists show it.';
  if (taken.includes(name)) return `There is an endpoint ${name} already.`;
  if (name.length > 64) return 'At most 64 characters.';
  if (!NAME.test(name) || RESERVED.includes(name))
    return 'Use letters, digits, ".", "_" and "-", not digits alone, and begin with a letter or digit.';
  return null;
}

/** A name that is free, made from what the server calls itself or from its address. */
export function suggestEndpointName(wish: string, taken: readonly string[]): string {
  const plain = wish
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 48);
  const base =
    endpointNameProblem(plain, []) === null ? plain : `server-${plain}`.replace(/-$/, '');
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (endpointNameProblem(name, taken) === null) return name;
  }
}
