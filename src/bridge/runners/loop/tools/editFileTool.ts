import { isUtf8 } from 'node:buffer';
import { contentOf } from './fileText.ts';
import { exactReplace } from './exactReplace.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { nearestLines } from './nearestLines.ts';
import { openFile } from './openFile.ts';
import { presentFile } from './presentFile.ts';
import { replaceFile } from './replaceFile.ts';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';
import { writablePath, type WorkPath } from './workPath.ts';

const BYTE_ORDER_MARK = '\ufeff';

export function editFileTool(context: ToolContext): LoopTool {
  const maxBytes = context.settings.max_write_bytes;
  return {
    spec: toolSpec(
      'edit_file',
      'Replaces a text in a file by another. The old text must stand there exactly, white space included, and only once unless replace_all is true.',
      {
        path: {
          type: 'string',
          description: 'The file, from the work folder.',
          isRequired: true,
        },
        old_string: {
          type: 'string',
          description: 'The text as it is now, without line numbers.',
          isRequired: true,
        },
        new_string: {
          type: 'string',
          description: 'The text that takes its place.',
          isRequired: true,
        },
        replace_all: { type: 'boolean', description: 'Replace it in every place.' },
      },
    ),
    run: async (input, signal) => {
      const file = await writablePath(context.root, input.text('path'));
      const wanted = {
        old: input.text('old_string'),
        new: input.text('new_string'),
        isEvery: input.flag('replace_all'),
      };
      const refusal = context.refusal(file.path) ?? nothingToDo(wanted);
      if (refusal !== null) throw new ToolRefusal(refusal);
      const { text, mark } = await readAll(context.root, file, maxBytes);
      const result = exactReplace(text, wanted, maxBytes);
      const shown = showPath(file.path);
      if (result.outcome === 'not_found') throw new ToolRefusal(notFound(shown, text, wanted.old));
      if (result.outcome === 'ambiguous') {
        throw new ToolRefusal(
          `old_string stands in ${shown} more than once (lines ${result.lines.join(', ')}). ` +
            'Give more of the text around it, or set replace_all.',
        );
      }
      const tooLarge = `${shown} would become larger than ${maxBytes} bytes.`;
      if (result.outcome === 'too_large') throw new ToolRefusal(tooLarge);
      const bytes = Buffer.from(mark + result.text, 'utf8');
      if (bytes.length > maxBytes) throw new ToolRefusal(tooLarge);
      const mode = await presentFile(file);
      signal.throwIfAborted();
      await replaceFile(file.absolute, bytes, mode);
      const where =
        result.count === 1
          ? `1 place of ${shown}, line ${result.line}`
          : `${result.count} places of ${shown}`;
      return { text: `OK: replaced ${where}.`, isError: false, wrote: file.path };
    },
  };
}

function nothingToDo(wanted: { readonly old: string; readonly new: string }): string | null {
  if (wanted.old === '') return 'old_string is empty; write_file writes a whole file.';
  if (wanted.old === wanted.new) return 'old_string and new_string are the same.';
  return null;
}

async function readAll(
  root: string,
  file: WorkPath,
  maxBytes: number,
): Promise<{ text: string; mark: string }> {
  const shown = showPath(file.path);
  const { handle, sizeBytes } = await openFile(root, file);
  try {
    if (sizeBytes > maxBytes) {
      throw new ToolRefusal(`${shown} has ${sizeBytes} bytes; edit_file takes up to ${maxBytes}.`);
    }
    const bytes = await handle.readFile();
    // Text that was decoded with replacements would be written back as those.
    if ((await contentOf(handle)) !== 'text' || !isUtf8(bytes)) {
      throw new ToolRefusal(`${shown} is not UTF-8 text; change it with a command in run_bash.`);
    }
    const text = bytes.toString('utf8');
    return text.startsWith(BYTE_ORDER_MARK)
      ? { text: text.slice(1), mark: BYTE_ORDER_MARK }
      : { text, mark: '' };
  } finally {
    await handle.close();
  }
}

function notFound(shown: string, text: string, old: string): string {
  const numbered = old.split('\n').every((line) => /^\s*\d+\t/.test(line));
  if (numbered) {
    return `old_string was not found in ${shown}: leave out the line numbers that read_file puts before each line.`;
  }
  const near = nearestLines(text, old);
  return near === null
    ? `old_string was not found in ${shown}, nor anything like it.`
    : `old_string was not found in ${shown}. The most similar place is:\n${near}`;
}
