import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  makeToolBox,
  type ToolBoxOptions,
} from '../../../../../../src/bridge/runners/loop/tools/makeToolBox.ts';
import type { ToolOutcome } from '../../../../../../src/bridge/runners/loop/tools/toolTypes.ts';
import { runnersSchema } from '../../../../../../src/config/runnersSchema.ts';
import type { HostGuard } from '../../../../../../src/bridge/processes/hostGuard.ts';

/** For tools that start no process: whoever asks it to watch one is wrong. */
const NO_GUARD: HostGuard = {
  pid: undefined,
  watch: () => {
    throw new Error('this tool starts no process');
  },
  forget: () => {
    throw new Error('this tool starts no process');
  },
  close: async () => undefined,
};

const LOOP = runnersSchema.parse({}).loop;

export type ToolFolder = ReturnType<typeof toolFolder>;

/** A work folder `work` with a tool box in it; `outside` lies beside it. */
export function toolFolder(
  files: Readonly<Record<string, string | Buffer | { readonly link: string }>> = {},
) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-tools-')));
  const root = join(scratch, 'work');
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, path);
    else writeFileSync(path, content);
  }
  const box = (
    options: Partial<Omit<ToolBoxOptions, 'settings'>> & {
      readonly settings?: Partial<ToolBoxOptions['settings']>;
    } = {},
  ) =>
    makeToolBox({
      jobId: 'loop-20260101-000000-aaaaaaaaaa',
      guard: NO_GUARD,
      cwd: root,
      env: process.env,
      isReadOnly: false,
      allowed: null,
      disallowed: [],
      jail: null,
      ...options,
      settings: { ...LOOP, ...options.settings },
    });
  return {
    scratch,
    root,
    box,
    path: (...parts: string[]) => join(root, ...parts),
    call: (
      name: string,
      input: Readonly<Record<string, unknown>>,
      options: Parameters<typeof box>[0] = {},
    ): Promise<ToolOutcome> => box(options).call(name, input, new AbortController().signal),
    dispose: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
