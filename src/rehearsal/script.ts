/** What a rehearsal script is made of. The text form is read by parseScript.ts. */

/** A line that becomes a tool call of the client. */
export type ToolStep =
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; oldText: string; newText: string }
  | { kind: 'read'; path: string }
  | { kind: 'run'; command: string };

/** A fault that takes the place of one answer; the client gets nothing usable and may ask again. */
export type Fault =
  | { kind: 'status'; status: number; retryAfterS: number | null; message: string }
  | { kind: 'cut' }
  | { kind: 'html' }
  | { kind: 'empty' }
  | { kind: 'bad-json' }
  | { kind: 'overflow' };

/** What changes how one answer arrives, but not which answer it is. */
export type Manner =
  | { kind: 'hang'; durationMs: number }
  | { kind: 'split'; sizeBytes: number }
  | { kind: 'slow'; tokensPerSecond: number }
  | { kind: 'thinking'; text: string }
  | { kind: 'bad-input' };

export type ScriptAction = ToolStep | Fault | Manner | { kind: 'say'; text: string };

export type ScriptItem = ScriptAction & {
  /** Line of the script it stands on, from 1. */
  line: number;
};

/** The answers to one message of the user; a script has one round unless `---` lines divide it. */
type Round = readonly ScriptItem[];

export interface Script {
  rounds: readonly Round[];
}

const TOOL_STEPS: ReadonlySet<string> = new Set(['write', 'edit', 'read', 'run']);
const FAULTS: ReadonlySet<string> = new Set([
  'status',
  'cut',
  'html',
  'empty',
  'bad-json',
  'overflow',
]);

export function isToolStep<T extends ScriptAction>(item: T): item is T & ToolStep {
  return TOOL_STEPS.has(item.kind);
}

export function isFault<T extends ScriptAction>(item: T): item is T & Fault {
  return FAULTS.has(item.kind);
}
