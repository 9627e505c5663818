/** Looks a kept secret up; null: there is none of that name. */
export type KnownSecret = (name: string) => string | null;

interface Literal {
  readonly value: string;
  readonly source: string;
}

/**
 * Keys that a source holds as text, each under the name that the imported file refers to. The values are in a private field:
 * neither JSON nor a log of this object shows them.
 */
export class LiteralKeys {
  readonly #known: KnownSecret;
  readonly #byName = new Map<string, Literal>();

  /** @param known the secrets that are kept already: one with the same value is used again, another one is not written over */
  constructor(known: KnownSecret = () => null) {
    this.#known = known;
  }

  /**
   * The reference to write in place of a literal key.
   * @param source where it stood, for a person
   */
  refer(wish: string, value: string, source: string): string {
    const plain = wish.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
    // A reference holds at most 100 characters of name, the number of a second one included.
    const base = plain.slice(0, 90) || 'imported';
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}-${n}`;
      const held = this.#byName.get(name)?.value ?? this.#known(name);
      if (held !== null && held !== value) continue;
      if (!this.#byName.has(name)) this.#byName.set(name, { value, source });
      return `\${secret:${name}}`;
    }
  }

  /** The names, with where each key stood and whether the store has it already. */
  list(): { name: string; source: string; isKept: boolean }[] {
    return [...this.#byName].map(([name, { value, source }]) => ({
      name,
      source,
      isKept: this.#known(name) === value,
    }));
  }

  /** For whoever moves it to the secret store. */
  valueOf(name: string): string | null {
    return this.#byName.get(name)?.value ?? null;
  }
}
