import type { EffectiveConfig } from '../../../../config/schema.ts';
import type { HostGuard } from '../../../processes/hostGuard.ts';
import type { NetworkJail } from '../../../processes/networkJail.ts';
import type { ToolSpec } from '../wire/turnTypes.ts';
import type { ToolInput } from './toolInput.ts';
import type { ToolOutcome } from './toolTypes.ts';

export type LoopSettings = EffectiveConfig['runners']['loop'];

/** What the tools of a job share. */
export interface ToolContext {
  readonly jobId: string;
  readonly guard: HostGuard;
  /** Real path of the work folder: no tool but the shell gets out of it. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: LoopSettings;
  readonly jail: NetworkJail | null;
  /** What commands in the jail may write beside the work folder. */
  readonly writable: readonly string[];
  /** A folder of the job's own that commands in the jail see as /tmp; null: what they leave there goes with each of them. */
  readonly tmpDir: string | null;
  /** Where the locks lie that bound the commands of all jobs together; null: they are not bounded. */
  readonly lockDir: string | null;
  /** Why a call on that path or command is against the agent file; null: it is not. */
  refusal(subject: string): string | null;
}

/** One tool, made for a job. */
export interface LoopTool {
  readonly spec: ToolSpec;
  /** Throws ToolRefusal for what the model is to be told, and the reason of `signal` when it is aborted. */
  run(input: ToolInput, signal: AbortSignal): Promise<ToolOutcome>;
}
