import { ToolRefusal } from './toolRefusal.ts';

const MAX_LENGTH = 2_000;

/** What models know from grep(1), inside of brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  word: '\\w',
};

export interface SearchPattern {
  readonly regex: RegExp;
  /** Whether its work cannot grow faster than the text: it repeats nothing and has no choices. */
  readonly isLinear: boolean;
  /** What the model should know of how its pattern was read; null: nothing. */
  readonly note: string | null;
}

/** The expression of a search. What is none is searched as it stands: models send `foo(` and mean just that. */
export function searchPattern(
  pattern: string,
  options: { readonly isLiteral: boolean; readonly isCaseIgnored: boolean },
): SearchPattern {
  if (pattern === '') throw new ToolRefusal('The pattern is empty.');
  if (pattern.length > MAX_LENGTH) {
    throw new ToolRefusal(`The pattern has more than ${MAX_LENGTH} characters.`);
  }
  const [inlineFlag = ''] = options.isLiteral ? [] : (/^\(\?i\)/.exec(pattern) ?? []);
  const flags = options.isCaseIgnored || inlineFlag !== '' ? 'i' : '';
  const literal = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
  if (options.isLiteral) return { regex: literal, isLinear: true, note: null };
  try {
    const regex = new RegExp(withClasses(pattern.slice(inlineFlag.length)), flags);
    const note = pattern.includes('\\|') ? '"\\|" stands for the character "|"; "or" is "|"' : null;
    return { regex, isLinear: !/[*+?{|]/.test(regex.source), note };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      regex: literal,
      isLinear: true,
      note: 'no regular expression, so searched as plain text',
    };
  }
}

function withClasses(pattern: string): string {
  return pattern.replace(/\[:([a-z]+):\]/g, (whole, name: string) =>
    Object.hasOwn(CLASSES, name) ? (CLASSES[name] ?? whole) : whole,
  );
}
