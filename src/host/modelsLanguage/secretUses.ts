/** A place in a file that refers to a secret. */
export interface SecretUse {
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

const REFERENCE = /\$\{secret:([A-Za-z0-9_.-]+)\}/g;

/** Every `${secret:name}` of a file, in its order; lines that are a comment do not count. */
export function secretUses(file: string, text: string): SecretUse[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) =>
      /^\s*#/.test(line)
        ? []
        : [...line.matchAll(REFERENCE)].map(([, name = '']) => ({ name, file, line: index + 1 })),
    );
}
