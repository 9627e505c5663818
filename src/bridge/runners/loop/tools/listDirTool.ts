import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedList } from './boundedList.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { showPath } from './showPath.ts';
import { startFolder } from './startFolder.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';

const MAX_ENTRIES = 500;

export function listDirTool(context: ToolContext): LoopTool {
  return {
    spec: toolSpec('list_dir', 'Lists a folder: folders end with "/", files have their size.', {
      path: { type: 'string', description: 'The folder; left out: the work folder.' },
    }),
    run: async (input) => {
      const start = await startFolder(context.root, input.optionalText('path'));
      const shown = start.path === '.' ? 'the work folder' : showPath(start.path);
      if (!start.isFolder) throw new ToolRefusal(`${shown} is a file; read_file shows it.`);
      const entries = await readdir(start.absolute, { withFileTypes: true });
      entries.sort((one, other) => (one.name < other.name ? -1 : 1));
      const listed = new BoundedList(MAX_ENTRIES, context.settings.read_cap);
      for (const entry of entries) {
        if (!listed.add(await lineOf(start.absolute, entry))) break;
      }
      const count =
        listed.count === entries.length
          ? `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`
          : `the first ${listed.count} of ${entries.length} entries; glob finds files by name`;
      return { text: [`[${shown} | ${count}]`, ...listed.lines].join('\n'), isError: false };
    },
  };
}

async function lineOf(folder: string, entry: Dirent): Promise<string> {
  const name = showPath(entry.name);
  try {
    if (entry.isDirectory()) return `${name}/`;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return `${name} -> ${showPath(await readlink(path))}`;
    return entry.isFile() ? `${name}  ${(await lstat(path)).size} bytes` : `${name}  (no file)`;
  } catch (error) {
    // It went away meanwhile, or its name is not what the system takes for one.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return name;
    throw error;
  }
}
