import { existsSync } from 'node:fs';

export type JailMount = { readonly path: string } & (
  { readonly kind: 'hidden' } | { readonly kind: 'writable' } | { readonly kind: 'readable' }
);

/**
 * What a jail lays over the file system, outer folders first: a work folder inside a hidden one is seen, and a secret inside a
 * work folder is not. What is hidden with its folder is left out.
 */
export function jailMounts(wanted: {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  readonly cwd: string;
}): JailMount[] {
  const writable = wanted.writable.filter((path) => existsSync(path));
  const all: JailMount[] = [
    ...wanted.hidden.map((path) => ({ path, kind: 'hidden' as const })),
    ...(writable.some((path) => isWithin(wanted.cwd, path))
      ? []
      : [{ path: wanted.cwd, kind: 'readable' as const }]),
    ...writable.map((path) => ({ path, kind: 'writable' as const })),
  ];
  // Stable: of two with one path the later one holds.
  const sorted = all.sort((one, other) => depth(one.path) - depth(other.path));
  return sorted.filter((mount, index) => {
    if (mount.kind !== 'hidden') return true;
    const around = sorted.slice(0, index).findLast((other) => isWithin(mount.path, other.path));
    return around?.kind !== 'hidden';
  });
}

function depth(path: string): number {
  return path.split('/').filter((name) => name !== '').length;
}

function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}
