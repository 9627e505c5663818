import * as z from 'zod';
import type { Usage } from '../../../protocol/job.ts';
import type { RunnerEvent } from '../runner.ts';

/** The messages of Claude Code's JSON stream, read tolerantly: a part that is not understood says nothing. */

const text = z.object({ type: z.literal('text'), text: z.string() });
const thinking = z.object({ type: z.literal('thinking'), thinking: z.string() });
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.boolean().optional(),
});
const usage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});
const assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({ model: z.string().nullish(), content: z.array(z.unknown()) }),
});
const user = z.object({
  type: z.literal('user'),
  message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }),
});
const init = z.object({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  model: z.string().nullish(),
});
const retry = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.number(),
  retry_delay_ms: z.number().nullish(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
});

const claudeResultSchema = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().nullish(),
  result: z.string().nullish(),
  num_turns: z.number().nullish(),
  stop_reason: z.string().nullish(),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  session_id: z.string().nullish(),
  usage: usage.nullish(),
  errors: z.array(z.string()).nullish(),
});
export type ClaudeResult = z.infer<typeof claudeResultSchema>;

const EDIT_TOOLS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

export class ClaudeMessageReader {
  #turns = 0;
  readonly #commands = new Set<string>();

  /** The events of one message; a result is not among them (see `readResult`). */
  read(message: unknown): RunnerEvent[] {
    return (
      this.#readSystem(message) ?? this.#readAssistant(message) ?? this.#readUser(message) ?? []
    );
  }

  readResult(message: unknown): ClaudeResult | null {
    const parsed = claudeResultSchema.safeParse(message);
    return parsed.success ? parsed.data : null;
  }

  #readSystem(message: unknown): RunnerEvent[] | null {
    const started = init.safeParse(message);
    if (started.success) {
      return [
        { type: 'session', sessionId: started.data.session_id, model: started.data.model ?? null },
      ];
    }
    const retried = retry.safeParse(message);
    if (!retried.success) return null;
    const { attempt, retry_delay_ms: delayMs, error_status: status, error } = retried.data;
    const reason = [status, error].filter((part) => part !== null && part !== undefined).join(' ');
    const inS = delayMs === null || delayMs === undefined ? null : delayMs / 1000;
    return [{ type: 'retry', count: attempt, inS, reason }];
  }

  #readAssistant(message: unknown): RunnerEvent[] | null {
    const parsed = assistant.safeParse(message);
    if (!parsed.success) return null;
    const events: RunnerEvent[] = [];
    // "<synthetic>" is Claude Code's own text for an error; it is no turn of the model.
    if (parsed.data.message.model !== '<synthetic>') {
      this.#turns += 1;
      events.push({ type: 'turn', turns: this.#turns });
    }
    for (const block of parsed.data.message.content) events.push(...this.#readBlock(block));
    return events;
  }

  #readBlock(block: unknown): RunnerEvent[] {
    const said = text.safeParse(block);
    if (said.success)
      return said.data.text.trim() === '' ? [] : [{ type: 'assistant', text: said.data.text }];
    const thought = thinking.safeParse(block);
    if (thought.success) return [{ type: 'thinking', text: thought.data.thinking }];
    const used = toolUse.safeParse(block);
    if (!used.success) return [];
    const { id, name, input } = used.data;
    if (name === 'Bash') this.#commands.add(id);
    const path = EDIT_TOOLS.has(name) ? claimedPath(input) : null;
    const tool: RunnerEvent = { type: 'tool', id, name, input };
    return path === null ? [tool] : [tool, { type: 'file_claimed', path }];
  }

  #readUser(message: unknown): RunnerEvent[] | null {
    const parsed = user.safeParse(message);
    if (!parsed.success) return null;
    const content = parsed.data.message.content;
    if (typeof content === 'string') return [];
    return content.flatMap((block) => {
      const result = toolResult.safeParse(block);
      if (!result.success) return [];
      const { tool_use_id: id, is_error: isError = false } = result.data;
      const output = flattenText(result.data.content);
      const events: RunnerEvent[] = [{ type: 'tool_result', id, isError, text: output }];
      if (this.#commands.delete(id))
        events.push({ type: 'command', exit: exitOf(output, isError), isError });
      return events;
    });
  }
}

export function toUsage(value: z.infer<typeof usage> | null | undefined): Usage | null {
  if (!value) return null;
  // The CLI reports zeros for its own words about an error: no model was heard, so nothing is known.
  if (Object.values(value).every((count) => typeof count !== 'number' || count === 0)) return null;
  return {
    input: value.input_tokens ?? null,
    output: value.output_tokens ?? null,
    cacheRead: value.cache_read_input_tokens ?? null,
    cacheWrite: value.cache_creation_input_tokens ?? null,
  };
}

function claimedPath(input: unknown): string | null {
  const parsed = z
    .object({ file_path: z.string().optional(), notebook_path: z.string().optional() })
    .safeParse(input);
  return parsed.success ? (parsed.data.file_path ?? parsed.data.notebook_path ?? null) : null;
}

function flattenText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => {
      const said = text.safeParse(block);
      return said.success ? said.data.text : '';
    })
    .join('\n');
}

/** Claude Code begins the result of a failed command with "Exit code N"; a result that is no error exited with 0. */
function exitOf(output: string, isError: boolean): number | null {
  if (!isError) return 0;
  const match = /^(?:Error: )?Exit code (\d+)/.exec(output);
  return match ? Number(match[1]) : null;
}
