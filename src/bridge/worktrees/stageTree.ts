import { randomUUID } from 'node:crypto';
import type { ScratchIndex } from './scratchIndex.ts';

export interface StagedTree {
  /** Repositories of their own inside the tree, with or without commits; their content is not in the index. */
  readonly nested: string[];
}

/** `standard`: the ignore files as they are in the tree now; a path: the file of rules that stands for all of them. */
export type IgnoreRules = 'standard' | { readonly rulesFile: string };

/**
 * Brings a scratch index to what the tree holds: edits, deletions and untracked files that the rules do not ignore.
 * By plumbing, since `add -A` fails on a nested repository without commits, refuses paths outside a sparse checkout and
 * starts git inside submodules, with whatever configuration they have.
 */
export async function stageTree(index: ScratchIndex, rules: IgnoreRules): Promise<StagedTree> {
  const { removed, present } = await trackedChanges(index);
  await updateIndex(index, ['--force-remove'], removed);
  await updateIndex(index, ['--add', '--remove', '--replace'], present);
  const { stdout } = await index.run(['ls-files', '-z', '--others', ...ignoreArguments(rules)]);
  const untracked = split(stdout);
  // A trailing slash marks a folder that git does not look into: a repository of its own.
  const isNested = (path: Buffer) => path.at(-1) === SLASH;
  await updateIndex(
    index,
    ['--add', '--replace'],
    untracked.filter((path) => !isNested(path)),
  );
  return {
    nested: untracked.filter(isNested).map((path) => path.subarray(0, -1).toString('utf8')),
  };
}

/** Untracked paths that the rules ignore; a folder that is ignored as a whole is one entry with a trailing slash. */
export async function listIgnored(index: ScratchIndex, rules: IgnoreRules): Promise<string[]> {
  const { stdout } = await index.run([
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--directory',
    ...ignoreArguments(rules),
  ]);
  return split(stdout).map((path) => path.toString('utf8'));
}

function ignoreArguments(rules: IgnoreRules): string[] {
  if (rules === 'standard') return ['--exclude-standard'];
  return [
    '--exclude-standard',
    // Takes the place of `.gitignore`, with a name that nobody can have written; `info/exclude` and the user's own stay.
    `--exclude-per-directory=.${randomUUID()}`,
    `--exclude-from=${rules.rulesFile}`,
  ];
}

async function trackedChanges(
  index: ScratchIndex,
): Promise<{ removed: Buffer[]; present: Buffer[] }> {
  const { stdout } = await index.run([
    'diff-files',
    '-z',
    '--name-status',
    '--no-renames',
    '--ignore-submodules=dirty',
  ]);
  const fields = split(stdout);
  const removed: Buffer[] = [];
  const present: Buffer[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1];
    if (path) (fields[at]?.toString('latin1') === 'D' ? removed : present).push(path);
  }
  return { removed, present };
}

async function updateIndex(index: ScratchIndex, options: string[], paths: Buffer[]): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.concat(paths.flatMap((path) => [path, NUL]));
  await index.run(['update-index', ...options, '-z', '--stdin'], { input });
}

const SLASH = 0x2f;
const NUL = Buffer.from([0]);

function split(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    parts.push(output.subarray(start, end));
    start = end + 1;
  }
  return parts;
}
