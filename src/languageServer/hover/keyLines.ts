import path from 'node:path';
import { escapeMarkdown } from '../../base/markdownText.ts';
import { isInactivePath } from '../../config/checkInactive.ts';
import { type ConfigPath, formatPath, valueAt } from '../../config/configPath.ts';
import { isGroup } from '../../config/parts.ts';
import { isOnlyReferences } from '../../config/secrets.ts';
import { takesReferences } from '../completion/referenceOffers.ts';
import { keyFacts, type KeyFacts } from '../schema/keyFacts.ts';
import type { HoverFacts } from './hoverAt.ts';

/** What a key means, what may stand there, and what counts now and why. Markdown. */
export function keyLines({ doc }: Pick<HoverFacts, 'doc'>, at: ConfigPath): string[] {
  const facts = keyFacts(at);
  if (facts === null) return [];
  return [
    ...(facts.description === '' ? [] : [escapeMarkdown(facts.description)]),
    typeLine(facts),
    ...inForce(doc, at, facts),
    ...(isInactivePath(at) ? ['Understood, but without an effect in this version.'] : []),
  ];
}

function typeLine({ type, words, default: value }: KeyFacts): string {
  const choices = words.map((word) => `\`${word}\``).join(', ');
  const what = words.length === 0 || type === 'true or false' ? escapeMarkdown(type) : choices;
  const standard = value === undefined ? '' : JSON.stringify(value);
  return standard === '' || standard === '""' || standard.length > 120
    ? what
    : `${what} · default ${escapeMarkdown(standard)}`;
}

/** The value that counts, where it is not a group and no key, with the file or variable that set it. */
function inForce(doc: HoverFacts['doc'], at: ConfigPath, { shape }: KeyFacts): string[] {
  const { loaded } = doc;
  const value = valueAt(loaded.config, at);
  if (shape === 'group' || shape === 'names' || value === undefined || isGroup(value)) return [];
  const source = loaded.origin(formatPath(at));
  const where =
    source === 'default' ? 'by default' : `from ${escapeMarkdown(path.basename(source))}`;
  const isLiteral = takesReferences(at) ? !isReference(value) : hidesPassword(value);
  const shown = isLiteral ? 'a text that is written out' : JSON.stringify(value);
  return [`In force: ${escapeMarkdown(shown, 120)}, ${where}`];
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' && isOnlyReferences(value);
}

function hidesPassword(value: unknown): boolean {
  return typeof value === 'string' && (URL.parse(value)?.password ?? '') !== '';
}
