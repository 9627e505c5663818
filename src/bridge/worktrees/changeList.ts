import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ChangedFile } from '../../protocol/job.ts';
import { baseIgnoreRules } from './baseIgnoreRules.ts';
import { dirtySubmodules } from './dirtySubmodules.ts';
import type { FolderStart } from './folderStart.ts';
import type { Git } from './gitRunner.ts';
import { changedIgnored } from './ignoredOutput.ts';
import { parseRawDiff } from './parseRawDiff.ts';
import { withScratchIndex, type ScratchIndex } from './scratchIndex.ts';
import { listIgnored, stageTree } from './stageTree.ts';
import { assertWorktree } from './worktreeGit.ts';
import { readMarker, startIndexPath } from './worktreeMarker.ts';

export interface TreeAgainstBase {
  readonly git: Git;
  /** Top of the job's worktree, or of the user's checkout for a job without isolation. */
  readonly root: string;
  /** Commit that the job started from. */
  readonly base: string;
  /** For a job in the user's folder: how it stood, from `snapshotFolder` or `readFolderStart`; a worktree has its own. */
  readonly start?: FolderStart | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the tree holds that the base does not, untracked files included. One `git diff` gives list and counts alike. Throws
 * (`worktree_gone`, `git_failed`) when it cannot tell: a failure is never an empty list.
 *
 * Filters run as the repository's configuration says; after a job, `restoreRepository` comes first.
 */
export async function listChanges(options: TreeAgainstBase): Promise<ChangedFile[]> {
  return withStagedTree(options, 'scratch', async ({ index, nested, ignored }) => {
    const { stdout } = await index.run(
      [...DIFF, '--raw', '--numstat', '--no-abbrev', '-z', options.base],
      { readOnly: true },
    );
    const changes = parseRawDiff(stdout.toString('utf8'));
    const isNested = (change: ChangedFile) => change.change === 'nested';
    const seen = new Set(changes.filter(isNested).map((change) => change.path));
    const added = [
      ...nested.filter((path) => !seen.has(path)).map((path) => unversioned(path, 'nested')),
      ...ignored.map((path) => unversioned(path, 'ignored')),
    ];
    return [...changes, ...added];
  });
}

/** Nothing of the user's settings may change what a diff shows, and no program may be run for it. */
export const DIFF: readonly string[] = [
  'diff',
  '--cached',
  '-M',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=none',
];

export interface StagedAgainstBase {
  readonly index: ScratchIndex;
  readonly nested: string[];
  /** Ignored paths that the job made or changed. */
  readonly ignored: string[];
}

/** Runs `work` on an index that holds the tree as it is, by the ignore rules of the start. */
export async function withStagedTree<T>(
  options: TreeAgainstBase,
  objects: 'repository' | 'scratch',
  work: (staged: StagedAgainstBase) => Promise<T>,
): Promise<T> {
  const { git, root, base, start, signal } = options;
  await assertWorktree(git, root, signal);
  const marker = await readMarker(root);
  const own = startIndexPath(root);
  const ownIndex = marker?.base === base && existsSync(own) ? own : null;
  const startIndex = start ? start.indexFile : ownIndex;
  return withScratchIndex(
    { git, root, startIndex, commit: base, objects, signal },
    async (index) => {
      const rulesFile = `${index.file}.rules`;
      const rules = start?.rules ?? (await baseIgnoreRules(git, { root, base, signal }));
      await writeFile(rulesFile, rules, 'latin1');
      const { nested } = await stageTree(index, { rulesFile });
      const gitDir = marker?.gitDir ?? null;
      const dirty =
        gitDir === null ? [] : await dirtySubmodules({ git, index, root, gitDir, signal });
      const ignored = await listIgnored(index, { rulesFile });
      return work({
        index,
        nested: [...nested, ...dirty].filter((path) => !start?.nested.includes(path)),
        ignored: await changedIgnored(root, ignored, start?.ignored ?? marker?.included ?? []),
      });
    },
  );
}

function unversioned(path: string, change: 'nested' | 'ignored'): ChangedFile {
  return {
    path,
    oldPath: null,
    change,
    additions: null,
    deletions: null,
    binary: false,
    oldMode: null,
    newMode: null,
  };
}
