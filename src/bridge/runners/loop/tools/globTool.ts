import { BoundedList } from './boundedList.ts';
import { fileFilter } from './fileFilter.ts';
import { FolderWalk } from './folderWalk.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { showPath } from './showPath.ts';
import { startFolder } from './startFolder.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';

const MAX_FILES = 200;
const TIME_LIMIT_MS = 20_000;

export function globTool(context: ToolContext): LoopTool {
  const { root, settings } = context;
  return {
    spec: toolSpec(
      'glob',
      'Finds files by name, sorted by path. What git ignores is left out unless include_ignored is true.',
      {
        pattern: {
          type: 'string',
          description:
            'Such as "*.ts" (a name at any depth), "src/**/*.test.ts" or "**/*.{js,css}".',
          isRequired: true,
        },
        path: { type: 'string', description: 'Folder to look in; left out: the work folder.' },
        include_ignored: { type: 'boolean', description: 'Also what git ignores.' },
      },
    ),
    run: async (input, signal) => {
      const pattern = input.text('pattern');
      const start = await startFolder(root, input.optionalText('path'));
      if (!start.isFolder)
        throw new ToolRefusal(`${showPath(start.path)} is a file, not a folder.`);
      const isWanted = fileFilter(root, start.path, pattern);
      const walk = new FolderWalk({
        root,
        start: start.path,
        isIgnoredWanted: input.flag('include_ignored'),
        timeoutMs: TIME_LIMIT_MS,
        signal,
      });
      const found = new BoundedList(MAX_FILES, settings.read_cap);
      for await (const { path } of walk.files()) {
        if (isWanted(path) && !found.add(showPath(path))) break;
      }
      const notes = [
        ...(found.isFull ? [`stopped after ${found.count}; narrow the pattern`] : []),
        ...(walk.stopped === null ? [] : [`stopped ${walk.stopped}: not everything was looked at`]),
        ...(walk.unreadable === 0 ? [] : [`${walk.unreadable} folders could not be read`]),
      ];
      const count =
        found.count === 1 ? '1 file' : `${found.count === 0 ? 'no' : found.count} files`;
      return {
        text: [`[${[count, ...notes].join(' | ')}]`, ...found.lines].join('\n'),
        isError: false,
      };
    },
  };
}
