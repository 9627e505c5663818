import { LineReader } from './lineReader.ts';
import { readEvent } from './readEvent.ts';
import type { SteppedEvent } from './step.ts';
import {
  type CallResult,
  sizeOfItem,
  type TimelineItem,
  toItem,
  toOrphan,
} from './timelineItem.ts';

interface TimelineLimits {
  readonly items: number;
  readonly characters: number;
}

const LIMITS: TimelineLimits = { items: 30_000, characters: 40_000_000 };

/** A page of the log, so that the oldest can be let go as a whole. */
interface Page {
  readonly offset: number;
  /** Its items have lower ids. */
  endId: number;
}

/**
 * What happened in a job, from the pages of its events. Results join the calls they belong to. The window over a long log is bounded:
 * what is too old is let go, and can be loaded again.
 */
export class Timeline {
  readonly #limits: TimelineLimits;
  #items: TimelineItem[] = [];
  #pages: Page[] = [];
  #isAnchored = true;
  #lines = new LineReader();
  #nextId = 0;
  #characters = 0;
  /** Ids of the calls that have no result yet. */
  #open = new Map<string, number>();

  constructor(limits: TimelineLimits = LIMITS) {
    this.#limits = limits;
  }

  get items(): readonly TimelineItem[] {
    return this.#items;
  }

  /** Where the log before the first item ends; 0 when there is nothing before it. */
  get earlierEnd(): number {
    return this.#pages[0]?.offset ?? 0;
  }

  /** So much is kept that what else is loaded would be let go. */
  get isFull(): boolean {
    return this.#items.length >= this.#limits.items || this.#characters >= this.#limits.characters;
  }

  /**
   * The number of the turn that begins with an item, by the item's id. Empty while the begin of the log is not loaded: a number that
   * counts from anywhere else would be a wrong one.
   */
  turns(): ReadonlyMap<number, number> {
    const turns = new Map<number, number>();
    if (this.earlierEnd > 0) return turns;
    let message: string | null = null;
    for (const item of this.#items) {
      if (item.message === null || item.isNested || item.message === message) continue;
      message = item.message;
      turns.set(item.id, turns.size + 1);
    }
    return turns;
  }

  /** From here on another log counts, from this offset on. */
  restart(offset: number): void {
    this.#items = [];
    this.#pages = [{ offset, endId: this.#nextId }];
    this.#isAnchored = offset === 0;
    this.#lines = new LineReader();
    this.#open = new Map();
    this.#characters = 0;
  }

  /** What the log has gained. */
  append(text: string, offset: number): void {
    for (const line of this.#lines.push(text)) this.#add(readEvent(line));
    // The window may begin in the middle of a line: then the first page says where it really begins.
    if (!this.#isAnchored) this.#pages = [];
    this.#isAnchored = true;
    this.#pages.push({ offset, endId: this.#nextId });
    this.#letGo();
  }

  /** A page from before the window; whole lines. */
  prepend(text: string, offset: number): void {
    const older = new Timeline();
    for (const line of new LineReader().push(`${text}\n`)) older.#add(readEvent(line));
    const firstId = (this.#items[0]?.id ?? this.#nextId) - older.#items.length;
    const orphans = this.#orphans();
    const items = older.#items.map((item, index): TimelineItem => {
      const id = firstId + index;
      if (item.kind !== 'call' || item.result !== null) return { ...item, id };
      const result = orphans.get(item.callId) ?? null;
      if (result === null) this.#open.set(item.callId, id);
      orphans.delete(item.callId);
      return { ...item, id, result };
    });
    const missing = this.#items.filter(
      (item) => item.kind !== 'call' || !item.isOrphan || orphans.has(item.callId),
    );
    this.#pages.unshift({ offset, endId: firstId + items.length });
    this.#items = [...items, ...missing];
    this.#characters += older.#characters;
  }

  #add({ at, seq, isNested, steps }: SteppedEvent): void {
    for (const step of steps) {
      const place = { id: this.#nextId, at, seq, isNested };
      if (step.kind !== 'result') {
        this.#push(toItem(step, place));
        continue;
      }
      const { callId, isError, exit, text } = step;
      const result: CallResult = { isError, exit, text };
      const index = this.#indexOf(this.#open.get(callId));
      const call = this.#items[index];
      if (call?.kind !== 'call') {
        this.#push(toOrphan(callId, result, place));
        continue;
      }
      this.#open.delete(callId);
      this.#items[index] = { ...call, result };
      this.#characters += text.length;
    }
  }

  #push(item: TimelineItem): void {
    this.#nextId = item.id + 1;
    this.#items.push(item);
    this.#characters += sizeOfItem(item);
    if (item.kind === 'call' && item.result === null) this.#open.set(item.callId, item.id);
  }

  /** Ids grow along the list. */
  #indexOf(id: number | undefined): number {
    if (id === undefined) return -1;
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.id ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return this.#items[low]?.id === id ? low : -1;
  }

  /** Results whose calls were not there, by call. */
  #orphans(): Map<string, CallResult> {
    return new Map(
      this.#items.flatMap((item) =>
        item.kind === 'call' && item.isOrphan && item.result !== null
          ? [[item.callId, item.result] as const]
          : [],
      ),
    );
  }

  #letGo(): void {
    while (this.#pages.length > 2 && this.#isOver()) {
      const endId = this.#pages.shift()?.endId ?? 0;
      const kept = this.#items.findIndex((item) => item.id >= endId);
      const gone = this.#items.splice(0, kept === -1 ? this.#items.length : kept);
      for (const item of gone) {
        this.#characters -= sizeOfItem(item);
        if (item.kind === 'call' && this.#open.get(item.callId) === item.id)
          this.#open.delete(item.callId);
      }
    }
  }

  #isOver(): boolean {
    const { items, characters } = this.#limits;
    return this.#items.length > items || this.#characters > characters;
  }
}
