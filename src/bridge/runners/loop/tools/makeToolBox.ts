import { realpathSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import type { HostGuard } from '../../../processes/hostGuard.ts';
import type { NetworkJail } from '../../../processes/networkJail.ts';
import { editFileTool } from './editFileTool.ts';
import { finishTool } from './finishTool.ts';
import { globTool } from './globTool.ts';
import { grepTool } from './grepTool.ts';
import { listDirTool } from './listDirTool.ts';
import type { LoopSettings, LoopTool, ToolContext } from './loopTool.ts';
import { readFileTool } from './readFileTool.ts';
import { runBashTool } from './runBashTool.ts';
import { ToolInput } from './toolInput.ts';
import { loopToolsOf, TOOL_NAMES, type ToolName } from './toolNames.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolRights } from './toolRights.ts';
import type { ToolBox, ToolOutcome } from './toolTypes.ts';
import { writeFileTool } from './writeFileTool.ts';

export interface ToolBoxOptions {
  readonly jobId: string;
  readonly guard: HostGuard;
  /** The work folder: no tool but the shell gets out of it. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: LoopSettings;
  readonly isReadOnly: boolean;
  /** Names as agent files have them; null: all. */
  readonly allowed: readonly string[] | null;
  readonly disallowed: readonly string[];
  readonly jail: NetworkJail | null;
  /** What commands in the jail may write beside the work folder, such as the git directory of a worktree. */
  readonly writable?: readonly string[];
  /** A folder of the job's own that commands in the jail see as /tmp; without it each has an empty one. */
  readonly tmpDir?: string;
  /** The folder of the store's locks; without it the commands of all jobs together are not bounded. */
  readonly lockDir?: string;
}

const MAKERS: Readonly<Record<ToolName, (context: ToolContext) => LoopTool>> = {
  list_dir: listDirTool,
  glob: globTool,
  grep: grepTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  run_bash: runBashTool,
  finish: finishTool,
};

export function makeToolBox(options: ToolBoxOptions): ToolBox {
  const rights = toolRights({
    isReadOnly: options.isReadOnly,
    hasShell: options.settings.bash,
    allowed: options.allowed,
    disallowed: options.disallowed,
  });
  const common = {
    jobId: options.jobId,
    guard: options.guard,
    root: realpathSync(options.cwd),
    env: options.env,
    settings: options.settings,
    jail: options.jail,
    writable: options.writable ?? [],
    tmpDir: options.tmpDir ?? null,
    lockDir: options.lockDir ?? null,
  };
  const tools = new Map(
    rights.offered.map((name): [ToolName, LoopTool] => {
      const refusal = (subject: string): string | null => rights.refusal(name, subject);
      return [name, MAKERS[name]({ ...common, refusal })];
    }),
  );
  return {
    specs: [...tools.values()].map((tool) => tool.spec),
    call: async (asked, input, signal) => {
      signal.throwIfAborted();
      const name = toolNamed(asked);
      if (name === null) return refused(`There is no tool "${asked}". ${offered(rights.offered)}`);
      const tool = tools.get(name);
      if (tool === undefined) {
        return refused(`${rights.notOffered(name) ?? ''} ${offered(rights.offered)}`.trim());
      }
      try {
        return await tool.run(new ToolInput(name, input), signal);
      } catch (error) {
        signal.throwIfAborted();
        return refused(error instanceof ToolRefusal ? error.message : failureText(name, error));
      }
    },
  };
}

/** Models call a tool by the name they know it by from elsewhere. */
function toolNamed(asked: string): ToolName | null {
  const own = TOOL_NAMES.find((name) => name === asked);
  if (own !== undefined) return own;
  const [found] = /^[\w]+$/.test(asked) ? loopToolsOf([asked]).tools : [];
  return TOOL_NAMES.find((name) => name === found) ?? null;
}

function offered(names: readonly ToolName[]): string {
  return `The tools are: ${names.join(', ')}.`;
}

function refused(text: string): ToolOutcome {
  return { text, isError: true };
}

/** In the words of the system and without the paths of this machine. */
function failureText(name: ToolName, error: unknown): string {
  const { code, errno } = error as NodeJS.ErrnoException;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  if (words !== undefined) return `${name} failed: ${words} (${code}).`;
  return `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
}
