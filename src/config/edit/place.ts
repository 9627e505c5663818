import { isScalar, isSeq, type Node } from 'yaml';
import type { ConfigPath } from '../configPath.ts';
import { type Collection, isCollection, type Member, membersOf, nameOfKey } from './members.ts';
import type { SourceText } from './sourceText.ts';

/** Where a path leads in the tree. */
export interface Place {
  /** The members on the way that stand in the text themselves, outermost first. */
  readonly steps: readonly Step[];
  /** What of the path has no text of its own: it is missing, or comes in through an alias or a merge key. */
  readonly rest: ConfigPath;
}

export interface Step {
  readonly collection: Collection;
  readonly index: number;
  readonly members: readonly Member[];
}

export function placeOf(source: SourceText, path: ConfigPath): Place {
  const steps: Step[] = [];
  let node: Node | null = source.document.contents;
  for (const [depth, segment] of path.entries()) {
    if (!isCollection(node)) return { steps, rest: path.slice(depth) };
    const collection: Collection = node;
    const members = membersOf(collection);
    const index = isSeq(collection)
      ? members.findIndex((_, at) => at === segment)
      : members.findLastIndex((member) => nameOfKey(member.key) === segment);
    const member = members[index];
    if (member === undefined) return { steps, rest: path.slice(depth) };
    steps.push({ collection, index, members });
    node = member.value;
  }
  return { steps, rest: [] };
}

export function memberOf(step: Step): Member {
  const member = step.members[step.index];
  if (member === undefined) throw new RangeError('a step without its member');
  return member;
}

/** A key without a value, or with `~` or `null`. */
export function isNothing(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

export function isEmptyCollection(node: Node | null): boolean {
  return isCollection(node) && node.items.length === 0;
}
