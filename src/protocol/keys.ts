/**
 * The one mapping between TypeScript's camelCase and the snake_case of disk and wire. Only for values whose keys are all
 * fixed names: a map with free keys (environment variables, file names) would have its keys changed.
 */
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export type CamelKeys<T> = T extends readonly (infer Item)[]
  ? CamelKeys<Item>[]
  : T extends object
    ? { [K in keyof T as K extends string ? CamelCase<K> : K]: CamelKeys<T[K]> }
    : T;

export function toWire(value: unknown): unknown {
  return mapKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

export function fromWire(value: unknown): unknown {
  return mapKeys(value, (key) =>
    key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

function mapKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [rename(key), mapKeys(item, rename)]),
  );
}
