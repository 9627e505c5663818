import { nameSchema } from '../schemaParts.ts';

/** A name that an endpoint can have and no other one has: the wish, or the wish with a number. */
export function importName(wish: string, taken: readonly string[]): string {
  const plain = wish
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 60);
  const base = nameSchema.safeParse(plain).success ? plain : `endpoint-${plain}`.replace(/-$/, '');
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(name)) return name;
  }
}
