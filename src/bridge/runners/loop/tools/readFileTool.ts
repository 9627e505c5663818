import { contentOf, fileText, hasByteOrderMark } from './fileText.ts';
import { LinePager, type Page, type PageWanted } from './linePager.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { openFile } from './openFile.ts';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';
import { workPath } from './workPath.ts';

export function readFileTool(context: ToolContext): LoopTool {
  const { root, settings } = context;
  return {
    spec: toolSpec(
      'read_file',
      'Reads a text file. Each line is shown with its number and a tab before it. A long file comes in parts: the answer says how to go on.',
      {
        path: {
          type: 'string',
          description: 'The file, from the work folder.',
          isRequired: true,
        },
        offset: { type: 'integer', description: 'First line, from 1.' },
        limit: { type: 'integer', description: 'How many lines; left out: as many as fit.' },
        column: {
          type: 'integer',
          description: 'First character of the first line, from 1; to go on inside a long line.',
        },
      },
    ),
    run: async (input) => {
      const file = await workPath(root, input.text('path'));
      const refusal = context.refusal(file.path);
      if (refusal !== null) throw new ToolRefusal(refusal);
      const wanted: PageWanted = {
        line: Math.max(1, input.integer('offset') ?? 1),
        column: Math.max(1, input.integer('column') ?? 1),
        maxLines: input.limit('limit'),
        maxChars: settings.read_cap,
      };
      const shown = showPath(file.path);
      const opened = await openFile(root, file);
      const { handle, sizeBytes } = opened;
      try {
        if (sizeBytes > settings.max_read_bytes) {
          throw new ToolRefusal(
            `${shown} has ${sizeBytes} bytes; more than ${settings.max_read_bytes} are not read. ` +
              'Look for what you need with grep, or cut a part out with run_bash.',
          );
        }
        const content = await contentOf(handle);
        if (content === 'utf-16') {
          throw new ToolRefusal(`${shown} is UTF-16 text; convert it with iconv in run_bash.`);
        }
        if (content === 'binary') {
          throw new ToolRefusal(`${shown} is a binary file (${sizeBytes} bytes), not text.`);
        }
        const pager = new LinePager(wanted);
        for await (const text of fileText(opened, settings.max_read_bytes)) pager.add(text);
        const page = pager.end();
        const marks = (await hasByteOrderMark(handle)) ? ['byte order mark'] : [];
        const text =
          page.totalLines === 0
            ? `[${[`file ${shown}`, 'empty', ...marks].join(' | ')}]`
            : pageText(shown, wanted, page, marks);
        return { text, isError: false };
      } finally {
        await handle.close();
      }
    },
  };
}

function pageText(shown: string, wanted: PageWanted, page: Page, marks: readonly string[]): string {
  const { lines, totalLines, next } = page;
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) {
    const count = `${totalLines} ${totalLines === 1 ? 'line' : 'lines'}`;
    throw new ToolRefusal(`${shown} has ${count}; there is no line ${wanted.line}.`);
  }
  if (wanted.column > Math.max(1, page.firstLineLength)) {
    throw new ToolRefusal(
      `Line ${wanted.line} of ${shown} has ${page.firstLineLength} characters; there is no column ${wanted.column}.`,
    );
  }
  const header = [
    `file ${shown}`,
    `lines ${first.number}-${last.number} of ${totalLines}`,
    ...(wanted.column > 1 ? [`line ${first.number} from column ${wanted.column}`] : []),
    ...(page.lineEnds === 'crlf' ? ['CRLF line ends'] : []),
    ...(page.lineEnds === 'mixed' ? ['some line ends are CRLF'] : []),
    ...(page.hasFinalNewline ? [] : ['no newline at the end']),
    ...marks,
  ].join(' | ');
  const body = lines.map(({ number, text }) => `${number}\t${text}`).join('\n');
  return [`[${header}]`, body, ...(next === null ? [] : [trailer(next)])].join('\n');
}

function trailer({ line, column }: { line: number; column: number }): string {
  return column === 1
    ? `[there is more; go on with offset=${line}]`
    : `[cut inside line ${line}; go on with offset=${line}, column=${column}]`;
}
