import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseIgnoreRules, literalRule } from './baseIgnoreRules.ts';
import { BRIDGE_IDENTITY } from './gitEnv.ts';
import { writeFolderStart, type FolderStart } from './folderStart.ts';
import type { Git } from './gitRunner.ts';
import { knownFiles } from './ignoredOutput.ts';
import { tryFindRepository, tryHeadCommit } from './repository.ts';
import { withScratchIndex } from './scratchIndex.ts';
import { listIgnored, stageTree } from './stageTree.ts';

export interface FolderSnapshot {
  readonly repoRoot: string;
  readonly commonDir: string;
  /** Where the folder asked about is in the repository. */
  readonly prefix: string;
  /** Commit of tracked and untracked files as they are; its parent is HEAD, or none. */
  readonly commit: string;
  readonly tree: string;
  /** What `listChanges` needs besides the commit. */
  readonly start: FolderStart;
}

/**
 * Keeps the present state of the user's folder as a commit under `ref`, by a temporary index: index, stash, files and
 * branches of the user are not touched. Null outside git.
 */
export async function snapshotFolder(options: {
  git: Git;
  cwd: string;
  /** Full name, e.g. `refs/delegate/base/<job>`. */
  ref: string;
  /** The job's folder: the start is kept there for later change lists (`readFolderStart`). */
  keepDir?: string;
  signal?: AbortSignal | undefined;
}): Promise<FolderSnapshot | null> {
  const { git, signal } = options;
  const repository = await tryFindRepository(git, options.cwd, signal);
  if (!repository) return null;
  const { repoRoot, commonDir, prefix } = repository;
  const head = await tryHeadCommit(git, repoRoot, signal);
  const userIndex = join(repository.gitDir, 'index');
  return withScratchIndex(
    {
      git,
      root: repoRoot,
      startIndex: existsSync(userIndex) ? userIndex : null,
      commit: head,
      objects: 'repository',
      signal,
    },
    async (index) => {
      const { nested } = await stageTree(index, 'standard');
      const ignored = await listIgnored(index, 'standard');
      const tree = textOf(await index.run(['write-tree']));
      const parents = head === null ? [] : ['-p', head];
      const commit = textOf(
        await index.run(
          ['commit-tree', tree, ...parents, '-m', 'Snapshot of the folder before a job'],
          {
            env: { ...BRIDGE_IDENTITY },
          },
        ),
      );
      await index.run(['update-ref', options.ref, commit]);
      const rules = await baseIgnoreRules(git, { root: repoRoot, base: commit, signal });
      const start: FolderStart = {
        rules: rules + ignored.map((path) => literalRule(toLatin1(path))).join(''),
        ignored: await knownFiles(repoRoot, ignored),
        nested,
        indexFile: options.keepDir === undefined ? null : index.file,
      };
      const kept =
        options.keepDir === undefined ? start : await writeFolderStart(options.keepDir, start);
      return { repoRoot, commonDir, prefix, commit, tree, start: kept };
    },
  );
}

function textOf(result: { stdout: Buffer }): string {
  return result.stdout.toString('utf8').trim();
}

function toLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
