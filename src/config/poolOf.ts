/** The pool of a model: the longest prefix of its name (in any case) among the pools, else `default`. */
export function poolOf(pools: Readonly<Record<string, unknown>>, model: string): string {
  const name = model.toLowerCase();
  return Object.keys(pools)
    .filter((prefix) => prefix !== 'default' && name.startsWith(prefix.toLowerCase()))
    .reduce(
      (best, prefix) => (best === 'default' || prefix.length > best.length ? prefix : best),
      'default',
    );
}
