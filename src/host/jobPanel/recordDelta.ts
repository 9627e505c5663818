import type { JobRecord } from '../../protocol/job.ts';
import { toWire } from '../../protocol/keys.ts';

/** Which fields of a record a page has been told, so that it is told only those that are others now. */
export class RecordDelta {
  #told = new Map<string, string>();

  /** The fields to tell, in wire spelling; null when there is nothing new. */
  next(record: JobRecord): Record<string, unknown> | null {
    const fields = Object.entries(toWire(record) as Record<string, unknown>).filter(
      ([name, value]) => {
        const text = JSON.stringify(value);
        if (this.#told.get(name) === text) return false;
        this.#told.set(name, text);
        return true;
      },
    );
    return fields.length === 0 ? null : Object.fromEntries(fields);
  }

  /** The next one who asks is told everything. */
  forget(): void {
    this.#told = new Map();
  }
}
