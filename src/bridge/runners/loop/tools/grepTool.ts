import { BoundedList } from './boundedList.ts';
import { fileFilter } from './fileFilter.ts';
import { grepFiles, type GrepCount } from './grepFiles.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { searchPattern } from './searchPattern.ts';
import { startFolder } from './startFolder.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';

const USUAL_LINES = 100;
const MAX_LINES = 1_000;

export function grepTool(context: ToolContext): LoopTool {
  const { root, settings } = context;
  return {
    spec: toolSpec(
      'grep',
      'Searches the text of files, line by line. Answers "path:line: text", sorted by path. What git ignores is left out unless include_ignored is true.',
      {
        pattern: {
          type: 'string',
          description: 'A JavaScript regular expression.',
          isRequired: true,
        },
        path: { type: 'string', description: 'File or folder; left out: the work folder.' },
        glob: { type: 'string', description: 'Only files of such names, as in "*.ts".' },
        literal: { type: 'boolean', description: 'The pattern is plain text.' },
        ignore_case: { type: 'boolean', description: 'Upper and lower case are the same.' },
        files_only: { type: 'boolean', description: 'Only the names of the files.' },
        limit: { type: 'integer', description: `Lines at most; left out: ${USUAL_LINES}.` },
        include_ignored: { type: 'boolean', description: 'Also what git ignores.' },
      },
    ),
    run: async (input, signal) => {
      const pattern = searchPattern(input.text('pattern'), {
        isLiteral: input.flag('literal'),
        isCaseIgnored: input.flag('ignore_case'),
      });
      const start = await startFolder(root, input.optionalText('path'));
      const refusal = start.isFolder ? null : context.refusal(start.path);
      if (refusal !== null) throw new ToolRefusal(refusal);
      const glob = input.optionalText('glob') ?? '';
      const found = new BoundedList(
        Math.min(MAX_LINES, input.limit('limit') ?? USUAL_LINES),
        settings.read_cap,
      );
      const areFilesOnly = input.flag('files_only');
      const count = await grepFiles(
        {
          root,
          start,
          pattern,
          isWanted: glob === '' ? () => true : fileFilter(root, start.path, glob),
          isForbidden: (path) => context.refusal(path) !== null,
          isIgnoredWanted: input.flag('include_ignored'),
          areFilesOnly,
          maxReadBytes: settings.max_read_bytes,
          signal,
        },
        found,
      );
      const head = [
        summary(found.count, count, areFilesOnly),
        ...(pattern.note === null ? [] : [pattern.note]),
        ...(found.isFull ? ['there is more: narrow the search, or raise limit'] : []),
        ...leftOut(count),
      ];
      return { text: [`[${head.join(' | ')}]`, ...found.lines].join('\n'), isError: false };
    },
  };
}

function summary(lines: number, count: GrepCount, areFilesOnly: boolean): string {
  if (lines === 0) return `nothing found in ${counted(count.searched, 'file')}`;
  const files = counted(count.matching, 'file');
  return areFilesOnly ? files : `${counted(lines, 'line')} in ${files}`;
}

function leftOut(count: GrepCount): string[] {
  const { stopped, binary, forbidden, large, unreadable } = count;
  return [
    ...(stopped === null ? [] : [`stopped ${stopped}: not everything was searched`]),
    ...(binary === 0 ? [] : [`${counted(binary, 'binary file')} left out`]),
    ...(forbidden === 0 ? [] : [`${counted(forbidden, 'file')} kept from this agent`]),
    ...(large === 0 ? [] : [`${counted(large, 'file')} not searched to the end`]),
    ...(unreadable === 0 ? [] : [`${unreadable} could not be read`]),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
