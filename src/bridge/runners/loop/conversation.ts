import { evictInputs } from './evictInputs.ts';
import {
  evictResults,
  type EvictedPlace,
  type Eviction,
  type EvictionAsked,
} from './evictResults.ts';
import type { AssistantMessage, Message, ToolResult } from './history.ts';
import { messageSize } from './messageSize.ts';

/** Where a conversation is kept while it grows. */
export interface ConversationSink {
  begin(system: string): void;
  message(message: Message): void;
  evicted(places: readonly EvictedPlace[]): void;
}

const NOT_RUN = 'Not run: the job had ended before.';

/** What was said in a job: it only grows, apart from evictions. */
export class Conversation {
  readonly system: string;
  readonly #sink: ConversationSink;
  #messages: readonly Message[] = [];
  #characters: number;

  constructor(system: string, sink: ConversationSink, earlier: readonly Message[] = []) {
    this.system = system;
    this.#sink = sink;
    this.#characters = system.length;
    sink.begin(system);
    for (const message of earlier) this.#add(message);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Of the system prompt and all messages. */
  get characters(): number {
    return this.#characters;
  }

  /** A new task, or a word between. Calls that nobody has answered get an answer first: every format demands one. */
  addUser(text: string): void {
    const open = this.#openCalls();
    if (open !== null) this.addResults(open);
    this.#add({ role: 'user', text });
  }

  addAssistant(message: AssistantMessage): void {
    this.#add(message);
  }

  addResults(results: readonly ToolResult[]): void {
    this.#add({ role: 'results', results });
  }

  /** Makes room in results of tools first, then in the arguments of calls, where results are not what takes it. */
  evict(asked: EvictionAsked): Eviction {
    const results = this.#apply(evictResults(this.#messages, asked));
    if (results.freedCharacters >= asked.characters) return results;
    const characters = asked.characters - results.freedCharacters;
    const inputs = this.#apply(evictInputs(this.#messages, { ...asked, characters }));
    return {
      messages: this.#messages,
      freedCharacters: results.freedCharacters + inputs.freedCharacters,
      places: [...results.places, ...inputs.places],
    };
  }

  #apply(eviction: Eviction): Eviction {
    if (eviction.places.length === 0) return eviction;
    this.#messages = eviction.messages;
    this.#characters -= eviction.freedCharacters;
    this.#sink.evicted(eviction.places);
    return eviction;
  }

  #openCalls(): ToolResult[] | null {
    const last = this.#messages.at(-1);
    if (last?.role !== 'assistant') return null;
    const calls = last.blocks.filter((block) => block.type === 'tool_call');
    if (calls.length === 0) return null;
    return calls.map(({ id, name }) => ({ callId: id, name, text: NOT_RUN, isError: true }));
  }

  #add(message: Message): void {
    this.#messages = [...this.#messages, message];
    this.#characters += messageSize(message);
    this.#sink.message(message);
  }
}
