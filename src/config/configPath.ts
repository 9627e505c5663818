/** Where a key stands in the configuration, outermost first. */
export type ConfigPath = readonly (string | number)[];

/** `endpoints.llamacpp.base_url`; segments that hold other characters are quoted: `models["qwen3.8-27b"].format`. */
export function formatPath(path: ConfigPath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[A-Za-z0-9_-]+$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** The value at a path, or undefined; own properties only, so that no name reaches a prototype. */
export function valueAt(root: unknown, path: ConfigPath): unknown {
  let value = root;
  for (const segment of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}
