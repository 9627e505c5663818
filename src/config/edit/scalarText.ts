import { Scalar, stringify } from 'yaml';

export interface ScalarContext {
  readonly isFlow: boolean;
  /** Style of the scalar that is replaced, which is kept where the new value allows it. */
  readonly style: Scalar.Type | null;
}

/** Characters that may stand in a file as they are. */
const PRINTABLE =
  /^[\t\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

export function isPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

/** A single value on one line. */
export function scalarText(
  value: string | number | boolean | null,
  context: ScalarContext,
): string {
  if (typeof value !== 'string') return value === null ? 'null' : String(value);
  if (context.style === Scalar.QUOTE_SINGLE && isPrintable(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  if (context.style !== Scalar.QUOTE_DOUBLE && isPlain(value, context.isFlow)) return value;
  return doubleQuoted(value);
}

function isPlain(value: string, isFlow: boolean): boolean {
  if (value === '' || value === '<<' || !isPrintable(value)) return false;
  if (isFlow && /[[\]{},]/.test(value)) return false;
  return stringify(value, { lineWidth: 0 }) === `${value}\n`;
}

function doubleQuoted(value: string): string {
  let text = '';
  for (const character of JSON.stringify(value)) {
    text += isPrintable(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }
  return text;
}
