import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface KeepLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface KeptCopies {
  readonly copied: string[];
  /** Paths that would have gone over a limit, with what they hold (counted up to the limit). */
  readonly tooLarge: {
    readonly path: string;
    readonly sizeBytes: number;
    readonly files: number;
  }[];
}

/** Measures each path below `root`, then copies those that fit, smallest first: a build folder must not crowd out a note. */
export async function keepCopies(options: {
  root: string;
  target: string;
  paths: readonly string[];
  limits: KeepLimits;
}): Promise<KeptCopies> {
  const { root, target, limits } = options;
  const sizes: { path: string; sizeBytes: number; files: number }[] = [];
  for (const raw of options.paths) {
    const path = raw.replace(/\/$/, '');
    sizes.push({ path, ...(await measure(join(root, path), limits)) });
  }
  sizes.sort((a, b) => a.sizeBytes - b.sizeBytes);
  const copied: string[] = [];
  const tooLarge: KeptCopies['tooLarge'] = [];
  let bytes = 0;
  let files = 0;
  for (const size of sizes) {
    if (bytes + size.sizeBytes > limits.maxBytes || files + size.files > limits.maxFiles) {
      tooLarge.push(size);
      continue;
    }
    bytes += size.sizeBytes;
    files += size.files;
    await mkdir(dirname(join(target, size.path)), { recursive: true, mode: 0o700 });
    await copyTree(join(root, size.path), join(target, size.path));
    copied.push(size.path);
  }
  return { copied, tooLarge };
}

/** Files, folders and links as they are, with their permissions; sockets and pipes hold nothing and are left out. */
export async function copyTree(from: string, to: string): Promise<void> {
  const stat = await lstat(from);
  if (stat.isSymbolicLink()) {
    await symlink(await readlink(from, { encoding: 'buffer' }), to);
  } else if (stat.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
    await chmod(to, stat.mode & 0o7777);
  } else if (stat.isFile()) {
    await copyFile(from, to);
    await chmod(to, stat.mode & 0o7777);
  }
}

async function measure(
  path: string,
  limits: KeepLimits,
): Promise<{ sizeBytes: number; files: number }> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) return { sizeBytes: stat.isFile() ? stat.size : 0, files: 1 };
  const sum = { sizeBytes: 0, files: 1 };
  for (const name of await readdir(path)) {
    const inner = await measure(join(path, name), limits);
    sum.sizeBytes += inner.sizeBytes;
    sum.files += inner.files;
    if (sum.sizeBytes > limits.maxBytes || sum.files > limits.maxFiles) break;
  }
  return sum;
}
