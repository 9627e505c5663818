import { ToolRefusal } from './toolRefusal.ts';

const MAX_LENGTH = 2_000;

export interface SearchPattern {
  readonly regex: RegExp;
  /** Why it was taken as plain text though an expression was asked for; null: it was not. */
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
  if (options.isLiteral) return { regex: literal, note: null };
  try {
    return { regex: new RegExp(pattern.slice(inlineFlag.length), flags), note: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { regex: literal, note: 'no regular expression, so searched as plain text' };
  }
}
