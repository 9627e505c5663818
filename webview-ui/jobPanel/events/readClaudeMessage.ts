import { formatCount } from '../../../src/protocol/statusLineParts.ts';
import { callSubject } from './callSubject.ts';
import { cutText } from './cutText.ts';
import { asArray, asNumber, asObject, asText, type JsonObject } from './jsonValue.ts';
import type { Mark, Step } from './step.ts';

/** The messages of Claude Code's JSON stream. What is not understood says nothing. */
export function readClaudeMessage(message: JsonObject): Step[] {
  switch (message['type']) {
    case 'system':
      return readSystem(message);
    case 'assistant':
      return readAssistant(asObject(message['message']) ?? {});
    case 'user':
      return asArray(asObject(message['message'])?.['content']).flatMap(readResult);
    case 'result':
      return readEnd(message);
    default:
      return [];
  }
}

function readSystem(message: JsonObject): Step[] {
  switch (message['subtype']) {
    case 'init':
      return [mark('comment-discussion', 'quiet', 'The session began')];
    case 'api_retry':
      return [readRetry(message)];
    case 'compact_boundary': {
      const tokens = asNumber(asObject(message['compact_metadata'])?.['pre_tokens']);
      const size = tokens === null ? '' : ` at ${formatCount(tokens)} tokens`;
      return [mark('fold', 'attention', `The conversation was compacted${size}`)];
    }
    default:
      return [];
  }
}

function readRetry(message: JsonObject): Mark {
  const status = asNumber(message['error_status']);
  const reason = [status, asText(message['error'])].filter((part) => part !== null).join(' ');
  const delayMs = asNumber(message['retry_delay_ms']);
  const when = delayMs === null ? '' : `, again in ${Math.ceil(delayMs / 1000)} s`;
  return mark(
    'refresh',
    'attention',
    `Retry ${asNumber(message['attempt']) ?? ''}${reason === '' ? '' : `: ${reason}`}${when}`,
  );
}

function readAssistant(message: JsonObject): Step[] {
  // "<synthetic>" is Claude Code's own text for an error; it is no turn of the model.
  const id = message['model'] === '<synthetic>' ? null : asText(message['id']);
  return asArray(message['content']).flatMap((block) => readBlock(asObject(block) ?? {}, id));
}

function readBlock(block: JsonObject, message: string | null): Step[] {
  switch (block['type']) {
    case 'text':
    case 'thinking': {
      const isThought = block['type'] === 'thinking';
      const text = asText(block[isThought ? 'thinking' : 'text']) ?? '';
      if (text.trim() === '') return [];
      return [{ kind: isThought ? 'thought' : 'said', text: cutText(text), message }];
    }
    case 'tool_use': {
      const name = asText(block['name']) ?? 'a tool without a name';
      const { input } = block;
      return [
        {
          kind: 'call',
          callId: asText(block['id']) ?? '',
          name,
          subject: callSubject(input),
          input: cutText(inputText(input)),
          message,
        },
      ];
    }
    default:
      return [];
  }
}

function readResult(raw: unknown): Step[] {
  const block = asObject(raw);
  if (block?.['type'] !== 'tool_result') return [];
  const text = flatText(block['content']);
  const isError = block['is_error'] === true;
  return [
    {
      kind: 'result',
      callId: asText(block['tool_use_id']) ?? '',
      isError,
      exit: isError ? exitOf(text) : null,
      text: cutText(text),
    },
  ];
}

function readEnd(message: JsonObject): Step[] {
  const isGood = message['subtype'] === 'success' && message['is_error'] !== true;
  if (isGood) return [mark('debug-stop', 'quiet', 'The session ended')];
  const reason = asText(message['subtype'])?.replaceAll('_', ' ') ?? 'an error';
  const errors = asArray(message['errors']).flatMap((error) => asText(error) ?? []);
  return [mark('error', 'bad', `The session ended with ${reason}`, cutText(errors.join('\n')))];
}

function flatText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map(
      (block) =>
        asText(asObject(block)?.['text']) ??
        `[${asText(asObject(block)?.['type']) ?? 'something else'}]`,
    )
    .join('\n');
}

/** Claude Code begins the result of a failed command with "Exit code N". */
function exitOf(text: string): number | null {
  const match = /^(?:Error: )?Exit code (\d+)/.exec(text);
  return match === null ? null : Number(match[1]);
}

function mark(icon: string, tone: Mark['tone'], text: string, detail = ''): Mark {
  return { kind: 'mark', icon, tone, text, detail };
}

/** What a tool was called with; nothing when its one field is the subject, which is shown anyway. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  const fields = Object.values(asObject(input) ?? {});
  if (fields.length === 1 && fields[0] === callSubject(input)) return '';
  return JSON.stringify(input, null, 2) ?? '';
}
