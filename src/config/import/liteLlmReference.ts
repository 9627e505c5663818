import type { LiteralKeys } from './literalKeys.ts';

/** Keys that servers without one are given; LiteLLM wants some text there. */
const NO_KEY =
  /^(none|null|empty|dummy|fake(-?key)?|ollama|lm-studio|no-key(-required)?|not-(needed|required)|anything|sk-?(none|dummy|fake|no-key)|x+|-)$/i;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface ReferenceSources {
  /** The file's own `environment_variables`, which LiteLLM sets at its start. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly literals: LiteralKeys;
}

/**
 * What stands at a key of LiteLLM (`os.environ/NAME`, or the key itself) as a reference; empty: none is needed. Null: it is nothing
 * that a key can be.
 */
export function liteLlmReference(
  given: unknown,
  name: string,
  source: string,
  { variables, literals }: ReferenceSources,
): string | null {
  if (given === undefined || given === null) return '';
  if (typeof given !== 'string') return null;
  const text = given.trim();
  if (text === '' || NO_KEY.test(text)) return '';
  if (!text.startsWith('os.environ/'))
    return isLine(text) ? literals.refer(name, text, source) : null;
  const variable = text.slice('os.environ/'.length);
  if (!ENV_NAME.test(variable)) return null;
  const set = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
  if (typeof set === 'string' && set !== '' && !set.startsWith('os.environ/'))
    return isLine(set) ? literals.refer(variable, set, `environment_variables.${variable}`) : null;
  return `\${env:${variable}}`;
}

function isLine(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u001f\u007f]/.test(text);
}
