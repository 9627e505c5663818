import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BridgeError } from '../../../base/bridgeError.ts';
import type { ConversationSink } from './conversation.ts';
import { applyInputEvictions } from './evictInputs.ts';
import { applyEvictions, type EvictedPlace } from './evictResults.ts';
import type { Message } from './history.ts';
import { historyLineSchema, type HistoryLine } from './historyLine.ts';

export interface KeptHistory {
  readonly system: string;
  readonly messages: readonly Message[];
}

/**
 * `history.jsonl` of a job: what a resumed job goes on with. A full disk never throws from here, deep inside a turn: `onFull` hears of
 * it, and the line is missing.
 */
export class HistoryFile implements ConversationSink {
  readonly #file: string;
  readonly #redact: (text: string) => string;
  readonly #onFull: () => void;

  constructor(file: string, redact: (text: string) => string, onFull: () => void) {
    this.#file = file;
    this.#redact = redact;
    this.#onFull = onFull;
  }

  begin(system: string): void {
    this.#write({ type: 'begin', v: 1, system }, (line) =>
      writeFileSync(this.#file, line, { mode: 0o600 }),
    );
  }

  message(message: Message): void {
    this.#append({ type: 'message', message });
  }

  evicted(places: readonly EvictedPlace[]): void {
    this.#append({ type: 'evicted', places: [...places] });
  }

  #append(line: HistoryLine): void {
    this.#write(line, (text) => appendFileSync(this.#file, text, { mode: 0o600 }));
  }

  #write(line: HistoryLine, write: (text: string) => void): void {
    try {
      write(`${this.#redact(JSON.stringify(line))}\n`);
    } catch (error) {
      if (BridgeError.from(error).kind !== 'storage_full') throw error;
      this.#onFull();
    }
  }
}

/** What a job said, as far as it was written; null when there is no such file. A line that was cut off by a crash ends it. */
export function readHistory(file: string): KeptHistory | null {
  if (!existsSync(file)) return null;
  let system: string | null = null;
  let messages: readonly Message[] = [];
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parseLine(text);
    if (line === null) break;
    if (line.type === 'begin') system = line.system;
    else if (line.type === 'message') messages = [...messages, line.message];
    else messages = applyInputEvictions(applyEvictions(messages, line.places), line.places);
  }
  return system === null ? null : { system, messages };
}

function parseLine(text: string): HistoryLine | null {
  try {
    return historyLineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
