import { asArray, asObject, asString, type JsonObject } from '../../../endpoints/jsonValue.ts';
import type { ToolCallBlock } from '../history.ts';
import type { DeltaSink } from './deltaSink.ts';
import { stopReason } from './stopReason.ts';
import { ToolCallDraft } from './toolCallDraft.ts';

interface Fragment {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

interface Entry {
  readonly index: number | null;
  readonly call: ToolCallDraft;
}

/** Puts the tool calls of chat completions together from their fragments, with and without index, id and early name. */
export class ChatCalls {
  readonly #sink: DeltaSink;
  readonly #entries: Entry[] = [];

  constructor(sink: DeltaSink) {
    this.#sink = sink;
  }

  take(delta: JsonObject): void {
    // The form before tool calls knew one call, in a place of its own.
    const legacy = asObject(delta['function_call']);
    const values = asArray(delta['tool_calls']);
    const all = values.length === 0 && legacy !== null ? [{ index: 0, function: legacy }] : values;
    for (const value of all) {
      const fragment = readFragment(value);
      if (fragment !== null) this.#add(fragment);
    }
  }

  finish(end: string | null): readonly ToolCallBlock[] {
    const sorted = this.#entries
      .filter(({ call }) => !call.isEmpty)
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    return sorted.map(({ call }, at) => {
      const isLast = at === sorted.length - 1;
      // Fragments of several calls may come by turns, so in an answer that broke off each may lack something.
      const isComplete = end !== null && !(isLast && stopReason(end, true) === 'max_tokens');
      return call.finish(at, isComplete);
    });
  }

  #add(fragment: Fragment): void {
    const call = this.#find(fragment) ?? this.#open(fragment.index);
    if (call.id === '') call.id = fragment.id;
    // Most send the name once, some with every fragment, some in pieces.
    if (fragment.name !== call.name) call.name += fragment.name;
    call.addArguments(fragment.arguments);
  }

  #open(index: number | null): ToolCallDraft {
    const call = new ToolCallDraft(this.#sink);
    this.#entries.push({ index, call });
    return call;
  }

  /** The call that a fragment goes on with; undefined: it begins one. */
  #find(fragment: Fragment): ToolCallDraft | undefined {
    const { index, id, name } = fragment;
    if (index !== null) {
      const call = this.#entries.findLast((entry) => entry.index === index)?.call;
      // Some servers give each of several calls the index 0.
      const isOther = id !== '' && name !== '' && call?.id !== '' && call?.id !== id;
      const isNext = id === '' && name !== '' && call?.isWhole === true;
      return isOther || isNext ? undefined : call;
    }
    if (id !== '') {
      const known = this.#entries.find(({ call }) => call.id === id)?.call;
      if (known !== undefined || name !== '') return known;
    }
    const last = this.#entries.at(-1)?.call;
    // Without an index a name begins a call.
    return name !== '' && last?.name !== '' ? undefined : last;
  }
}

function readFragment(value: unknown): Fragment | null {
  const fragment = asObject(value);
  if (fragment === null) return null;
  const called = asObject(fragment['function']);
  return {
    index: typeof fragment['index'] === 'number' ? fragment['index'] : null,
    id: asString(fragment['id']) ?? '',
    name: asString(called?.['name']) ?? '',
    arguments: called?.['arguments'],
  };
}
