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

/** What formatPath() made of a path, back as the path; null for any other text. */
export function parsePath(text: string): ConfigPath | null {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const part = /^(?:(\.?)([A-Za-z0-9_-]+)|\[(0|[1-9]\d*)\]|\[("(?:[^"\\]|\\.)*")\])/.exec(rest);
    if (part === null) return null;
    const [whole, dot, word, index, quoted] = part;
    if (word !== undefined) {
      // The first segment has no dot before it, every other one has.
      if ((dot === '.') !== path.length > 0) return null;
      path.push(word);
    } else if (index !== undefined) path.push(Number(index));
    else {
      const name = textOfJson(quoted ?? '');
      if (name === null) return null;
      path.push(name);
    }
    rest = rest.slice(whole.length);
  }
  return formatPath(path) === text ? path : null;
}

function textOfJson(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Not what JSON.stringify() writes: an escape that does not exist, or a bare control character.
    return null;
  }
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
