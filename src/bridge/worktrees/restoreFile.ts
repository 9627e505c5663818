import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';
import { isSameState, objectFormatOf, readPresent, type FileState } from './journalState.ts';

/** Gives a file of a restored worktree the raw bytes and permissions that it had, where the checkout made others. */
export async function restoreFile(options: {
  git: Git;
  root: string;
  path: string;
  state: FileState;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { git, root, path, state, signal } = options;
  const full = join(root, path);
  const present = await readPresent(root, path, { format: objectFormatOf(state.oid) });
  if (present.kind === 'behind')
    throw new BridgeError('internal', `${path} lies behind a link and was not restored.`);
  if (!isSameState(present, state)) {
    const { stdout } = await git.run(['cat-file', 'blob', state.oid], {
      cwd: root,
      maxBytes: Number.MAX_SAFE_INTEGER,
      readOnly: true,
      signal,
    });
    await mkdir(dirname(full), { recursive: true });
    await rm(full, { force: true });
    if (state.mode === '120000') await symlink(stdout, full);
    else await writeFile(full, stdout);
  }
  if (state.mode !== '120000' && state.perm !== null) await chmod(full, state.perm);
}
