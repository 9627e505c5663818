import type { Git } from './gitRunner.ts';
import { withStagedTree } from './changeList.ts';
import { knownFiles } from './ignoredOutput.ts';
import { readMarker, writeMarker } from './worktreeMarker.ts';

/**
 * To be called when the set-up command of a worktree has run: ignored files and folders that are there now (installed
 * packages) are none of the job's output. Other files that the command changed stay in the change list.
 */
export async function noteSetupOutput(options: {
  git: Git;
  root: string;
  base: string;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  await withStagedTree(options, 'scratch', async ({ ignored }) => {
    const marker = await readMarker(options.root);
    if (!marker) return;
    const noted = await knownFiles(options.root, ignored);
    await writeMarker(options.root, { ...marker, included: [...marker.included, ...noted] });
  });
}
