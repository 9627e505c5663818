import { fileURLToPath } from 'node:url';

/** Where jobs work when a call names no folder: the project of Claude Code, the client's first root, the server's own folder. */
export async function defaultCwd(options: {
  readonly env: NodeJS.ProcessEnv;
  readonly listRoots: () => Promise<readonly string[]>;
  readonly processCwd: () => string;
  readonly onError: (error: unknown) => void;
}): Promise<string> {
  const project = options.env['CLAUDE_PROJECT_DIR'];
  if (project !== undefined && project !== '') return project;
  const [root] = await options.listRoots().catch((error: unknown) => {
    options.onError(error);
    return [];
  });
  return (root === undefined ? null : folderOf(root)) ?? options.processCwd();
}

/** Null for a root that is no folder of this machine. */
function folderOf(root: string): string | null {
  if (!URL.canParse(root) || new URL(root).protocol !== 'file:') return null;
  try {
    return fileURLToPath(root);
  } catch (error) {
    if (error instanceof TypeError) return null; // a host name or an escape that no path can have
    throw error;
  }
}
