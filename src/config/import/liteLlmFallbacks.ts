import { isPinned } from '../isPinned.ts';
import { isGroup } from '../parts.ts';
import { failoverSchema } from '../sectionsSchema.ts';
import { importNote, quoted } from './importNote.ts';

type Chains = Record<string, string[]>;

/**
 * LiteLLM's `fallbacks` (a list of groups, each a name with those that stand in for it) as chains.
 * @param nameOf what the endpoint itself calls an alias; null: it has none
 */
export function liteLlmFallbacks(
  lists: readonly unknown[],
  nameOf: (alias: string) => string | null,
): { chains: Chains; notes: string[] } {
  const { pinned } = failoverSchema.parse({});
  const notes: string[] = [];
  // A map: a model may have any name.
  const chains = new Map<string, string[]>();
  for (const [alias, members] of lists.flatMap(pairsOf)) {
    const origin = alias === '*' ? null : nameOf(alias);
    if (origin === null) {
      notes.push(
        importNote(
          `The fallbacks of ${quoted(alias)} were left out: no endpoint serves that model.`,
        ),
      );
      continue;
    }
    const chain = chains.get(origin) ?? [];
    for (const member of members) {
      const name = nameOf(member);
      const held = [origin, name ?? member].find((each) => isPinned(pinned, each));
      if (name === null)
        notes.push(
          importNote(
            `${quoted(member)} does not stand in for ${quoted(alias)}: no endpoint serves it.`,
          ),
        );
      else if (held !== undefined)
        notes.push(
          importNote(
            `${quoted(member)} does not stand in for ${quoted(alias)}: ${quoted(held)} is pinned (failover.pinned), so it is never replaced and never a replacement.`,
          ),
        );
      else if (name !== origin && !chain.includes(name)) chain.push(name);
    }
    if (chain.length > 0) chains.set(origin, chain);
  }
  return { chains: Object.fromEntries(chains), notes };
}

function pairsOf(list: unknown): [string, string[]][] {
  return (Array.isArray(list) ? list : [list]).flatMap((item: unknown) =>
    isGroup(item)
      ? Object.entries(item).map(([name, members]): [string, string[]] => [
          name,
          (Array.isArray(members) ? members : [members]).filter((each) => typeof each === 'string'),
        ])
      : [],
  );
}
