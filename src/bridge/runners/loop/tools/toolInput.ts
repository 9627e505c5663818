import { ToolRefusal } from './toolRefusal.ts';

/** Names that models trained on other tools give to our parameters. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  path: ['file_path', 'filename', 'file'],
  old_string: ['old_str', 'old_text'],
  new_string: ['new_str', 'new_text'],
  content: ['contents', 'file_text'],
  command: ['cmd'],
};

/** The arguments of one call, read with good will: small models send numbers as text, and null for what they leave out. */
export class ToolInput {
  readonly #tool: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(tool: string, values: Readonly<Record<string, unknown>>) {
    this.#tool = tool;
    this.#values = values;
  }

  /** @throws ToolRefusal when it is missing or no text */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value !== null) return value;
    const names = Object.keys(this.#values);
    const received = names.length === 0 ? 'no arguments came' : `received: ${names.join(', ')}`;
    throw new ToolRefusal(`${this.#tool} needs "${name}", a text; ${received}.`);
  }

  optionalText(name: string): string | null {
    const value = this.#get(name);
    if (value === null) return null;
    if (typeof value === 'string') return value;
    throw this.#wrong(name, 'a text', value);
  }

  /** A whole number; null when it is left out. */
  integer(name: string): number | null {
    const value = this.#get(name);
    if (value === null || value === '') return null;
    const number =
      typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      throw this.#wrong(name, 'a whole number', value);
    }
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(number)));
  }

  /** A number of things, at least 1; what is below means that there is no limit, and so does null. */
  limit(name: string): number | null {
    const value = this.integer(name);
    return value === null || value < 1 ? null : value;
  }

  flag(name: string): boolean {
    const value = this.#get(name);
    if (value === null || value === '') return false;
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if (word === 'true' || word === '1' || word === 1) return true;
    if (word === 'false' || word === '0' || word === 0) return false;
    throw this.#wrong(name, 'true or false', value);
  }

  #get(name: string): unknown {
    for (const key of [name, ...(OTHER_NAMES[name] ?? [])]) {
      if (Object.hasOwn(this.#values, key)) return this.#values[key] ?? null;
    }
    return null;
  }

  #wrong(name: string, wanted: string, value: unknown): ToolRefusal {
    const shown = (JSON.stringify(value) ?? typeof value).slice(0, 80);
    return new ToolRefusal(`"${name}" of ${this.#tool} must be ${wanted}, not ${shown}.`);
  }
}
