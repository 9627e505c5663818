import type { LoopTool, ToolContext } from './loopTool.ts';
import { presentFile } from './presentFile.ts';
import { replaceFile } from './replaceFile.ts';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';
import { writablePath } from './workPath.ts';

export function writeFileTool(context: ToolContext): LoopTool {
  const maxBytes = context.settings.max_write_bytes;
  return {
    spec: toolSpec(
      'write_file',
      'Writes a whole file; makes folders that are missing. To change a part of a file use edit_file.',
      {
        path: {
          type: 'string',
          description: 'The file, from the work folder.',
          isRequired: true,
        },
        content: { type: 'string', description: 'All of its text.', isRequired: true },
      },
    ),
    run: async (input, signal) => {
      const file = await writablePath(context.root, input.text('path'));
      const content = input.text('content');
      const refusal = context.refusal(file.path);
      if (refusal !== null) throw new ToolRefusal(refusal);
      const bytes = Buffer.from(content, 'utf8');
      if (bytes.length > maxBytes) {
        throw new ToolRefusal(
          `The content has ${bytes.length} bytes; more than ${maxBytes} are not written at once.`,
        );
      }
      const mode = await presentFile(file);
      signal.throwIfAborted();
      await replaceFile(file.absolute, bytes, mode);
      const what = mode === null ? 'made' : 'replaced';
      return {
        text: `OK: ${what} ${showPath(file.path)}, ${bytes.length} bytes.`,
        isError: false,
        wrote: file.path,
      };
    },
  };
}
