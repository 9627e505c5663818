import { closestName } from '../../config/closestName.ts';
import { isPinned } from '../../config/isPinned.ts';
import { poolOf } from '../../config/poolOf.ts';
import type { FixContext } from './fixContext.ts';
import type { ProblemFix } from './problemFix.ts';
import { writtenValue } from './writtenValue.ts';

/** For chains that cannot help, or that name nothing known. */
export function chainFixes(context: FixContext): ProblemFix[] {
  const { doc, problem, path } = context;
  const [, , origin] = path;
  const isMember = path.length === 4;
  const name = isMember ? String(writtenValue(doc, path)) : String(origin);
  const remove: ProblemFix = {
    title: isMember ? `Remove "${name}" from the chain` : `Remove the chain of "${name}"`,
    edits: [{ kind: 'remove', path: [...path] }],
  };
  switch (problem.code) {
    case 'unknown_model': {
      const known = closestName(name, knownModels(context));
      if (known === null) return [remove];
      const title = `Change to "${known}"`;
      return [
        isMember
          ? { title, edits: [{ kind: 'set', path: [...path], value: known }] }
          : { title, edits: [{ kind: 'rename', path: [...path], to: known }] },
        remove,
      ];
    }
    case 'chain_pinned':
      return isPinned(doc.loaded.config.failover.pinned, String(origin))
        ? [
            {
              title: `Remove the chain of "${String(origin)}"`,
              edits: [{ kind: 'remove', path: path.slice(0, 3) }],
            },
            unpin(context, String(origin)),
          ]
        : [remove, unpin(context, name)];
    default:
      return [remove];
  }
}

/** What is pinned is a list of prefixes; those that the name begins with go. */
function unpin({ doc }: FixContext, name: string): ProblemFix {
  const left = doc.loaded.config.failover.pinned.filter((prefix) => !isPinned([prefix], name));
  return {
    title: `Unpin "${name}"`,
    edits: [{ kind: 'set', path: ['failover', 'pinned'], value: left }],
  };
}

/** Names that a chain may mean and that the check knows: with facts, or served and in a pool. */
function knownModels({ doc }: FixContext): string[] {
  const { models, pools } = doc.loaded.config;
  const served = doc.live.endpoints.flatMap(({ probe }) => probe.models.map(({ id }) => id));
  const names = [...served, ...Object.keys(models)].filter((each) => !/[*?]/.test(each));
  return [...new Set(names)].filter(
    (each) => Object.hasOwn(models, each) || poolOf(pools, each) !== 'default',
  );
}
