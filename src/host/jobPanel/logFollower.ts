import type { PanelMessage } from '../../protocol/jobPanel/panelMessages.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';

type LogPage = UiAnswer<'read_log'>;
export type LogPlace = Extract<PanelMessage, { type: 'log' }>['place'];

interface LogFollowerOptions {
  readonly read: (offset: number, maxBytes: number, isFromLineStart: boolean) => Promise<LogPage>;
  readonly push: (chunk: {
    readonly text: string;
    readonly offset: number;
    readonly place: LogPlace;
  }) => void;
  /** How much of the end of a long log is shown at first. */
  readonly windowBytes: number;
}

const PAGE_BYTES = 262_144;
/** The longest page that the server gives. */
const MAX_PAGE_BYTES = 1_048_576;
/** What would be left of the begin of a log is not left alone: the server gives no page that is smaller than a fourth of this. */
const SMALLEST_REST_BYTES = 4096;

/**
 * One log of a job, from near its end on: what is new since the last time, and page by page what was before. It keeps two numbers, not
 * the text. Calls must not overlap; they reject as `read` does, and may be made again then.
 */
export class LogFollower {
  readonly #options: LogFollowerOptions;
  #next: number | null = null;
  /** `#next` is the begin of a line. */
  #isAligned = true;

  constructor(options: LogFollowerOptions) {
    this.#options = options;
  }

  /** Pushes all that the log has gained. */
  async catchUp(): Promise<void> {
    if (this.#next === null) await this.#begin();
    for (;;) {
      const from: number = this.#next ?? 0;
      const page = await this.#options.read(from, PAGE_BYTES, !this.#isAligned);
      if (page.nextOffset < from) {
        // It has become shorter: another log under the same name.
        this.#startAt(0);
        if (page.sizeBytes === 0) return;
        continue;
      }
      if (page.text !== '') {
        this.#options.push({ text: page.text, offset: page.offset, place: 'end' });
        this.#isAligned = true;
      } else if (page.nextOffset > from) {
        // All of it belongs to a line that began before: what is earlier ends here.
        this.#options.push({ text: '', offset: page.nextOffset, place: 'new' });
      }
      this.#next = page.nextOffset;
      if (page.nextOffset === from) return;
    }
  }

  /** Pushes a page of what lies before this offset, at which a line begins. */
  async loadEarlier(before: number): Promise<void> {
    for (let reach = PAGE_BYTES; ; reach *= 2) {
      const offset = fullStart(before - Math.min(reach, MAX_PAGE_BYTES - SMALLEST_REST_BYTES));
      const page = await this.#options.read(offset, before - offset, offset > 0);
      const isWithinOneLine = page.text === '' && offset > 0;
      if (isWithinOneLine && reach < MAX_PAGE_BYTES) continue;
      // A line longer than any page is left out; what is before it can still be had.
      const begin = isWithinOneLine ? offset : page.offset;
      this.#options.push({ text: page.text, offset: begin, place: 'start' });
      return;
    }
  }

  async #begin(): Promise<void> {
    const { sizeBytes } = await this.#options.read(0, SMALLEST_REST_BYTES, false);
    this.#startAt(fullStart(sizeBytes - this.#options.windowBytes));
  }

  #startAt(offset: number): void {
    this.#next = offset;
    this.#isAligned = offset === 0;
    this.#options.push({ text: '', offset, place: 'new' });
  }
}

/** Where a page begins so that what is before it is nothing, or enough for another one. */
function fullStart(offset: number): number {
  return offset < SMALLEST_REST_BYTES ? 0 : offset;
}
