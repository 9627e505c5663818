import { isSecretKey, PLACEHOLDERS } from '../../config/checkSecrets.ts';
import type { ConfigPath } from '../../config/configPath.ts';
import { schemaAt } from '../../config/schemaWalk.ts';
import { isOnlyReferences } from '../../config/secrets.ts';
import { MASKED } from '../../protocol/modelsLanguage/formState.ts';

/** Shorter texts are not looked for in messages: replacing "1" everywhere would hide nothing. */
const LEAST_REDACTED_LENGTH = 4;
const PASSWORD_IN_ADDRESS = /^(\s*[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@\s]*?:)([^/?#\s]+)(@)/;
/** A shorter one may be a word of the configuration, such as "auto". */
const LEAST_KEY_LENGTH = 12;
const KEY_BEFORE_VALUE = /([A-Za-z0-9_-]+)["']?[ \t]*:[ \t]*/g;
/** What keys of vendors look like, or are long enough to be one: no word of a person. */
const LOOKS_LIKE_KEY =
  /^(sk|pk|rk|hf|gh[pousr]|glpat|xox[a-z]|AKIA|AIza)[-_A-Za-z0-9]{12,}$|^[A-Za-z0-9+/_=-]{32,}$/;

/** Data of a models.yaml without the keys that are written out in it. */
interface MaskedData {
  readonly data: unknown;
  /** A message with the keys in it hidden too. */
  readonly redact: (text: string) => string;
}

/**
 * Replaces what is, or may be, a key by `MASKED`: whatever stands under `api_key` and the router's token, under keys with a name of
 * that kind, headers and variables that look like one, and passwords in addresses. References stay. Works on any data, broken too.
 */
export function maskSecrets(data: unknown): MaskedData {
  const found = new Set<string>();
  const hide = (value: string): string => {
    found.add(value);
    return MASKED;
  };

  const walk = (value: unknown, path: ConfigPath, isSecret: boolean): unknown => {
    if (Array.isArray(value))
      return value.map((item, index) => walk(item, [...path, index], isSecret));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const at = [...path, key];
          return [key, walk(item, at, isSecret || holdsSecret(at))];
        }),
      );
    if (isSecret && (typeof value === 'number' || typeof value === 'bigint'))
      return hide(String(value));
    if (typeof value !== 'string') return plain(value);
    if (isSecret && isLiteral(value)) return hide(value);
    const [, before, password, after] = PASSWORD_IN_ADDRESS.exec(value) ?? [];
    if (password !== undefined && isLiteral(password)) {
      hide(password);
      return value.replace(PASSWORD_IN_ADDRESS, () => `${before}${MASKED}${after}`);
    }
    return isFreeText(path) && LOOKS_LIKE_KEY.test(value.trim()) ? hide(value) : value;
  };

  const masked = walk(data, [], false);
  // The same key pasted into a wrong place as well.
  const long = redactorOf(new Set([...found].filter((key) => key.length >= LEAST_KEY_LENGTH)));
  return { data: eachText(masked, long), redact: redactorOf(found) };
}

/** Hides what may be keys in messages about a text that cannot be read as data: there is no telling what is one. */
export function redactUnreadable(text: string): (message: string) => string {
  const found = new Set<string>();
  for (const { 0: whole, 1: key = '', index } of text.matchAll(KEY_BEFORE_VALUE)) {
    if (!isSecretKey(key)) continue;
    const [rest = ''] = text.slice(index + whole.length).split(/[\r\n]/, 1);
    // As it would be read with and without quotes, in a flow of others, and with a comment behind it.
    for (const end of [/$/, /\s+#/, /\s*[,}\]]/, /\s/]) {
      const value = rest.slice(0, rest.search(end)).trim();
      found.add(value).add(value.replace(/^["']|["']$/g, ''));
    }
  }
  return redactorOf(found);
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => eachText(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, eachText(item, change)]),
  );
}

function redactorOf(found: ReadonlySet<string>): (text: string) => string {
  const forms = [...found]
    .filter((value) => value.length >= LEAST_REDACTED_LENGTH)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, MASKED), text);
}

/** Whether all of what stands at a path is a key. A key of the schema is one only by what it is. */
function holdsSecret(path: ConfigPath): boolean {
  const [section, , field, name] = path;
  const key = String(path.at(-1));
  if (section === 'router' && path.length === 2 && key === 'token') return true;
  if (section === 'endpoints' && path.length >= 3 && field === 'api_key') return true;
  if (section === 'endpoints' && path.length === 4 && (field === 'headers' || field === 'env'))
    return isSecretKey(String(name));
  return path.length > 1 && schemaAt(path) === null && isSecretKey(key);
}

/** Places where a key stands under a name that does not tell. */
function isFreeText(path: ConfigPath): boolean {
  const [section, , field] = path;
  return section === 'endpoints' && path.length === 4 && (field === 'headers' || field === 'env');
}

function isLiteral(text: string): boolean {
  return text !== '' && !isOnlyReferences(text) && !PLACEHOLDERS.has(text.toLowerCase());
}

/** What JSON cannot hold, as text. */
function plain(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : String(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  return null;
}
