import type { ConfigPath } from '../../config/configPath.ts';
import type { OutlineEntry, Span, TextOutline } from '../text/textOutline.ts';

export type NameKind = 'endpoint' | 'model' | 'gate' | 'pool';

/** A place in a text at which something has, or is called by, a name that a person chose. */
export interface NameUse {
  readonly kind: NameKind;
  readonly name: string;
  readonly path: ConfigPath;
  /** Without quotes. */
  readonly span: Span;
  readonly quote: '"' | "'" | null;
  readonly isFlow: boolean;
  /** A key that makes the thing; else a value that means it. */
  readonly isDefinition: boolean;
}

/** Each pattern is a path; `*` stands for any segment, and the last one names the thing. */
const KEYS: readonly (readonly [pattern: string, kind: NameKind, isDefinition: boolean])[] = [
  ['endpoints *', 'endpoint', true],
  ['models *', 'model', true],
  ['failover chains *', 'model', false],
  ['endpoints * api_key *', 'model', false],
  ['gates *', 'gate', true],
  ['pools *', 'pool', true],
];
const VALUES: readonly (readonly [pattern: string, kind: NameKind])[] = [
  ['fleet * endpoint', 'endpoint'],
  ['fleet * model', 'model'],
  ['defaults model', 'model'],
  ['runners loop coding_model', 'model'],
  ['failover chains * *', 'model'],
  ['failover pinned *', 'model'],
];

/** Every name in a text, in the order of the text. */
export function nameUses(text: string, { entries }: TextOutline): NameUse[] {
  return entries.flatMap((entry) => [...keyUse(text, entry), ...valueUse(text, entry)]);
}

/** The name at an offset. */
export function nameAt(uses: readonly NameUse[], offset: number): NameUse | null {
  return uses.find(({ span }) => span.start <= offset && offset <= span.end) ?? null;
}

/** What the value of a path names; null: nothing that other places name as well. */
export function valueKind(path: ConfigPath): NameKind | null {
  return VALUES.find(([pattern]) => fits(pattern, path))?.[1] ?? null;
}

/** What the keys of the group at a path name. */
export function keyKind(group: ConfigPath): NameKind | null {
  return KEYS.find(([pattern]) => fits(pattern, [...group, '']))?.[1] ?? null;
}

function keyUse(text: string, { key, keyText, path, isFlow }: OutlineEntry): NameUse[] {
  const found = KEYS.find(([pattern]) => fits(pattern, path));
  if (key === null || found === undefined) return [];
  return [
    { kind: found[1], name: keyText, path, ...unquoted(text, key), isDefinition: found[2], isFlow },
  ];
}

function valueUse(text: string, { value, scalar, path, isFlow }: OutlineEntry): NameUse[] {
  const kind = valueKind(path);
  if (kind === null || scalar === null || scalar === '') return [];
  return [{ kind, name: scalar, path, ...unquoted(text, value), isDefinition: false, isFlow }];
}

function unquoted(text: string, { start, end }: Span): Pick<NameUse, 'span' | 'quote'> {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return { span: { start, end }, quote: null };
  const isClosed = end - start > 1 && text[end - 1] === quote;
  return { span: { start: start + 1, end: isClosed ? end - 1 : end }, quote };
}

function fits(pattern: string, path: ConfigPath): boolean {
  const words = pattern.split(' ');
  return (
    words.length === path.length &&
    words.every((word, index) => word === '*' || word === path[index])
  );
}
