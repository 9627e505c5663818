import type { Usage } from '../../../../protocol/job.ts';
import { asArray, asObject, asString, type JsonObject } from '../../../endpoints/jsonValue.ts';
import { MessageReading } from '../../../gateway/messageReading.ts';
import type { AssistantBlock } from '../history.ts';
import type { DeltaSink } from './deltaSink.ts';
import type { EventReader } from './eventReader.ts';
import { stopReason } from './stopReason.ts';
import { TextDraft } from './textDraft.ts';
import { ToolCallDraft } from './toolCallDraft.ts';
import type { TurnAnswer } from './turnTypes.ts';

interface ThinkingDraft {
  text: string;
  signature: string | null;
  readonly isRedacted: boolean;
}

type Draft = { readonly index: number; isStopped: boolean } & (
  | { readonly type: 'text'; readonly text: TextDraft }
  | { readonly type: 'thinking'; readonly thinking: ThinkingDraft }
  | { readonly type: 'tool_use'; readonly call: ToolCallDraft }
  /** A block of a kind that is not ours, such as a search of the server. */
  | { readonly type: 'other' }
);

const DELTA_OF: Readonly<Record<string, Draft['type']>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** Reads an answer of the Messages API. */
export class MessagesReader implements EventReader {
  readonly #sink: DeltaSink;
  readonly #about = new MessageReading();
  readonly #drafts: Draft[] = [];
  /** The first text that has something in it, or may yet. */
  #firstText: TextDraft | null = null;
  #failure: JsonObject | null = null;

  constructor(sink: DeltaSink) {
    this.#sink = sink;
  }

  get isOver(): boolean {
    return this.#about.isComplete;
  }

  get failure(): JsonObject | null {
    return this.#failure ?? this.#about.error;
  }

  get usage(): Usage {
    return this.#about.usage;
  }

  get modelServed(): string | null {
    return this.#about.model;
  }

  take(data: unknown, event: string | null): void {
    const object = asObject(data);
    if (object === null) {
      if (event === 'error') this.#failure = { message: String(data) };
      return;
    }
    const type = asString(object['type']) ?? event;
    if (type === 'message' || (type === null && 'content' in object)) {
      this.#about.document(object);
      this.#content(object['content']);
      return;
    }
    this.#about.event({ ...object, type });
    switch (type) {
      case 'message_start':
        this.#content(asObject(object['message'])?.['content']);
        break;
      case 'content_block_start':
        this.#open(asObject(object['content_block']) ?? {}, indexOf(object));
        break;
      case 'content_block_delta':
        this.#delta(asObject(object['delta']) ?? {}, indexOf(object));
        break;
      case 'content_block_stop': {
        const draft = this.#current(indexOf(object));
        if (draft !== undefined) draft.isStopped = true;
        break;
      }
      case 'error':
        if (this.#about.error === null) this.#failure = object;
        break;
      default:
    }
  }

  finish(): TurnAnswer | null {
    const raw = this.#about.stopReason;
    const drafts = this.#drafts.toSorted((a, b) => a.index - b.index);
    const hasCalls = drafts.some(({ type }) => type === 'tool_use');
    const reason = stopReason(raw, hasCalls);
    let calls = 0;
    const blocks = drafts.flatMap((draft, at): readonly AssistantBlock[] => {
      if (draft.type === 'other') return [];
      if (draft.type === 'text') return draft.text.finish();
      if (draft.type === 'thinking') {
        const { thinking } = draft;
        const isNothing = thinking.text === '' && thinking.signature === null;
        return isNothing ? [] : [{ type: 'thinking', ...thinking }];
      }
      const isLast = at === drafts.length - 1;
      const isComplete =
        (draft.isStopped || !isLast || raw !== null) && !(isLast && reason === 'max_tokens');
      return [draft.call.finish(calls++, isComplete)];
    });
    if (blocks.length === 0 && raw === null) return null;
    return {
      blocks,
      stopReason: reason,
      rawStopReason: raw,
      usage: this.usage,
      modelServed: this.modelServed,
    };
  }

  /** Whole blocks. */
  #content(content: unknown): void {
    if (typeof content === 'string') this.#open({ type: 'text', text: content }, null);
    for (const block of asArray(content)) {
      this.#open(asObject(block) ?? {}, null).isStopped = true;
    }
  }

  #open(block: JsonObject, index: number | null): Draft {
    const draft = this.#newDraft(block, index ?? (this.#drafts.at(-1)?.index ?? -1) + 1);
    this.#drafts.push(draft);
    return draft;
  }

  #newDraft(block: JsonObject, index: number): Draft {
    const base = { index, isStopped: false };
    switch (block['type']) {
      case 'text': {
        const text = new TextDraft(this.#sink, this.#firstText?.isEmpty ?? true);
        if (this.#firstText?.isEmpty ?? true) this.#firstText = text;
        text.push(textOf(block['text']));
        return { ...base, type: 'text', text };
      }
      case 'thinking':
      case 'redacted_thinking': {
        const text = textOf(block['thinking']);
        this.#sink.push('thinking', text);
        const isRedacted = block['type'] === 'redacted_thinking';
        const signature = asString(block[isRedacted ? 'data' : 'signature']);
        return { ...base, type: 'thinking', thinking: { text, signature, isRedacted } };
      }
      case 'tool_use': {
        const call = new ToolCallDraft(this.#sink);
        call.id = textOf(block['id']);
        call.name = textOf(block['name']);
        call.whole = block['input'];
        return { ...base, type: 'tool_use', call };
      }
      default:
        return { ...base, type: 'other' };
    }
  }

  #delta(delta: JsonObject, index: number | null): void {
    const type = DELTA_OF[String(delta['type'])];
    if (type === undefined) return;
    const draft = this.#draftFor(type, index);
    if (draft.type === 'text') draft.text.push(textOf(delta['text']));
    else if (draft.type === 'tool_use') draft.call.addArguments(delta['partial_json']);
    else if (draft.type === 'thinking') {
      const { thinking } = draft;
      const text = textOf(delta['thinking']);
      thinking.text += text;
      thinking.signature = asString(delta['signature']) ?? thinking.signature;
      this.#sink.push('thinking', text);
    }
  }

  /** The block that a delta belongs to. Some servers forget to open it, or give two blocks the same index. */
  #draftFor(type: Draft['type'], index: number | null): Draft {
    const draft = this.#current(index);
    return draft?.type === type || draft?.type === 'other' ? draft : this.#open({ type }, index);
  }

  #current(index: number | null): Draft | undefined {
    return index === null
      ? this.#drafts.at(-1)
      : this.#drafts.findLast((draft) => draft.index === index);
  }
}

function indexOf(event: JsonObject): number | null {
  const index = event['index'];
  return typeof index === 'number' ? index : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
