import type { RunnerEvent } from '../runner.ts';
import type { ToolCallBlock, ToolResult } from './history.ts';
import { isRoomNote } from './roomNote.ts';
import type { ToolBox, ToolOutcome } from './tools/toolTypes.ts';

export interface CallsOptions {
  readonly tools: ToolBox;
  /** Aborted when the job is to end; what has not begun then is not run. */
  readonly signal: AbortSignal;
  readonly emit: (event: RunnerEvent) => void;
}

export interface CallsDone {
  readonly results: readonly ToolResult[];
  readonly wroteFiles: number;
  /** How commands ended, by call. */
  readonly exits: ReadonlyMap<string, number | null>;
}

const CUT_OFF =
  'Not run: the arguments of this call arrived cut off or are no JSON object. Send the call again, and make it shorter if it was long.';
const COPIED_NOTE =
  'Not run: an argument of this call is a note about text that was left out, not the text itself. Write the text out; read the file first if you do not have it.';
const STOPPED = 'Not run: the job was ended.';

/** Runs the calls of one answer in their order. Each gets a result, whatever happens. */
export async function runCalls(
  calls: readonly ToolCallBlock[],
  { tools, signal, emit }: CallsOptions,
): Promise<CallsDone> {
  const results: ToolResult[] = [];
  let wroteFiles = 0;
  const exits = new Map<string, number | null>();
  for (const call of calls) {
    emit({ type: 'tool', id: call.id, name: call.name, input: call.input ?? call.rawInput });
    const outcome = await outcomeOf(call, tools, signal);
    emit({ type: 'tool_result', id: call.id, isError: outcome.isError, text: outcome.text });
    if (outcome.exit !== undefined) {
      exits.set(call.id, outcome.exit);
      emit({ type: 'command', exit: outcome.exit, isError: outcome.exit !== 0 });
    }
    if (outcome.wrote !== undefined) {
      wroteFiles += 1;
      emit({ type: 'file_claimed', path: outcome.wrote });
    }
    const { text, isError } = outcome;
    results.push({ callId: call.id, name: call.name, text, isError });
  }
  return { results, wroteFiles, exits };
}

async function outcomeOf(
  call: ToolCallBlock,
  tools: ToolBox,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (signal.aborted) return { text: STOPPED, isError: true };
  if (call.input === null) return { text: CUT_OFF, isError: true };
  if (Object.values(call.input).some((value) => typeof value === 'string' && isRoomNote(value)))
    return { text: COPIED_NOTE, isError: true };
  try {
    return await tools.call(call.name, call.input, signal);
  } catch (error) {
    if (signal.aborted) return { text: STOPPED, isError: true };
    throw error;
  }
}
