import { BridgeError } from '../../../../base/bridgeError.ts';
import type { AssistantMessage, Message, ToolCallBlock, ToolResult } from '../history.ts';

const INTERRUPTED = 'The call was interrupted: it has no result.';
/** Servers refuse empty texts. */
const NO_OUTPUT = '(no output)';

/**
 * The history in the shape that every server takes. What harms nobody is repaired: a call without a result gets one that
 * says so, a result without a call goes, user texts side by side become one. A repair depends only on what stands beside
 * it, so a history keeps its beginning from turn to turn.
 *
 * @throws BridgeError `internal` for a history that the loop must never make.
 */
export function checkHistory(messages: readonly Message[]): readonly Message[] {
  const checked: Message[] = [];
  for (const message of messages) {
    if (message.role === 'results') addResults(checked, message.results);
    else {
      answerOpenCalls(checked);
      if (message.role === 'user') addUser(checked, message.text);
      else if (needsAnswer(checked)) checked.push(message);
      else throw fault('an answer of the model that nobody asked for');
    }
  }
  answerOpenCalls(checked);
  if (!needsAnswer(checked)) throw fault('nothing that the model could answer');
  return checked;
}

/** Whether the last message is one that a model answers. */
function needsAnswer(checked: readonly Message[]): boolean {
  const last = checked.at(-1);
  return last !== undefined && last.role !== 'assistant';
}

function addUser(checked: Message[], text: string): void {
  const last = checked.at(-1);
  if (text.trim() === '') {
    // Beside another text or a result nothing is lost with it.
    if (needsAnswer(checked)) return;
    throw fault('an empty message to the model');
  }
  if (last?.role === 'user') {
    checked[checked.length - 1] = { role: 'user', text: `${last.text}\n\n${text}` };
  } else {
    checked.push({ role: 'user', text });
  }
}

function addResults(checked: Message[], results: readonly ToolResult[]): void {
  const last = checked.at(-1);
  const calls = last?.role === 'assistant' ? callsOf(last) : [];
  if (calls.length === 0) throw fault('results of calls that the model did not make');
  const left = [...results];
  checked.push({
    role: 'results',
    results: calls.map((call) => {
      const at = left.findIndex((result) => result.callId === call.id);
      const [result] = at < 0 ? [] : left.splice(at, 1);
      if (result === undefined) return interrupted(call);
      return result.text.trim() === '' ? { ...result, text: NO_OUTPUT } : result;
    }),
  });
}

function answerOpenCalls(checked: Message[]): void {
  const last = checked.at(-1);
  const calls = last?.role === 'assistant' ? callsOf(last) : [];
  if (calls.length > 0) checked.push({ role: 'results', results: calls.map(interrupted) });
}

function callsOf(message: AssistantMessage): readonly ToolCallBlock[] {
  return message.blocks.filter((block) => block.type === 'tool_call');
}

function interrupted(call: ToolCallBlock): ToolResult {
  return { callId: call.id, name: call.name, text: INTERRUPTED, isError: true };
}

function fault(what: string): BridgeError {
  return new BridgeError('internal', `The history of the loop has ${what}.`);
}
