/** Up to so many files stand side by side; with more there are folders. */
const MOST_FILES_WITHOUT_FOLDERS = 12;

export type FileNode =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** Below the folder around it: `src/host`, when nothing else is in `src`. */
      readonly name: string;
      readonly children: readonly FileNode[];
    };

/** Files in the order they came, or in folders; a folder with nothing but one folder in it is one row with that. */
export function fileTree(paths: readonly string[]): readonly FileNode[] {
  if (paths.length <= MOST_FILES_WITHOUT_FOLDERS)
    return paths.map((path) => ({ kind: 'file', path }));
  return below(
    paths.map((path) => path.split('/')),
    '',
  );
}

function below(paths: readonly (readonly string[])[], prefix: string): FileNode[] {
  const folders = new Map<string, (readonly string[])[]>();
  const files: FileNode[] = [];
  for (const [name = '', ...rest] of paths) {
    if (rest.length === 0) files.push({ kind: 'file', path: prefix + name });
    else folders.set(name, [...(folders.get(name) ?? []), rest]);
  }
  return [
    ...[...folders]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inside]) => folderOf(prefix, name, inside)),
    ...files,
  ];
}

function folderOf(prefix: string, name: string, inside: readonly (readonly string[])[]): FileNode {
  const path = `${prefix}${name}`;
  const children = below(inside, `${path}/`);
  const [only] = children;
  if (children.length === 1 && only?.kind === 'folder')
    return { ...only, name: `${name}/${only.name}` };
  return { kind: 'folder', path, name, children };
}
