import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a whole file or leaves it as it was: beside it, then renamed over it.
 * @param mode permission bits to keep; null: a new file, with what the umask leaves
 */
export async function replaceFile(file: string, bytes: Buffer, mode: number | null): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  // The name does not grow with that of the file, which may be as long as names can be.
  const temporary = join(folder, `.delegate-${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', mode ?? 0o666);
  try {
    try {
      if (mode !== null) await handle.chmod(mode);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
