import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { assertAllowedFolder } from './forbiddenFolders.ts';
import { PRACTICE_FILES } from './practiceFiles.ts';

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# Delegation practice

A small repository with a bug, to try Delegation Bridge on. \`node --test\` is red until \`range.js\` is right.
Delete the folder when you are done with it.
`,
  ...PRACTICE_FILES,
};
const AUTHOR = ['-c', 'user.name=Delegation Bridge', '-c', 'user.email=practice@localhost'];

/**
 * Makes a repository with one commit and a red test, to try the bridge on.
 * @throws BridgeError bad_argument when the folder holds anything already
 */
export async function makePracticeRepository(
  context: BridgeContext,
  path: string,
): Promise<{ folder: string }> {
  const folder = resolve(path);
  assertAllowedFolder(folder, context);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new BridgeError('bad_argument', `${folder} is not empty.`, {
      hint: 'Name a folder that does not exist yet.',
    });
  }
  const git = await context.git();
  const isNew = !existsSync(folder);
  mkdirSync(folder, { recursive: true });
  try {
    const options = { cwd: folder };
    await git.run(['init', '--quiet', '--initial-branch=main', '.'], {
      ...options,
      discover: true,
    });
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    await git.run(['add', '--', ...Object.keys(FILES)], options);
    await git.run(
      [...AUTHOR, 'commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', 'A range with a bug'],
      options,
    );
  } catch (error) {
    // Half a repository would be in the way of the next try.
    for (const name of [...Object.keys(FILES), '.git'])
      rmSync(join(folder, name), { recursive: true, force: true });
    if (isNew && existsSync(dirname(folder))) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder };
}
