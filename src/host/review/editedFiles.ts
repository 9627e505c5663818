import type { Memory } from './reviewTitles.ts';

interface Edits {
  readonly paths: readonly string[];
  /** How often something was saved. */
  readonly count: number;
}

const KEY = 'editedFiles';
const MAX_JOBS = 200;

/** Which files of which jobs a person has edited in the reviews of this workspace. */
export class EditedFiles {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  add(jobId: string, path: string): void {
    const all = this.#all();
    const { paths, count } = this.of(jobId);
    const edits = { paths: [...new Set([...paths, path])], count: count + 1 };
    const others = all.filter(([id]) => id !== jobId);
    void this.#memory.update(KEY, [...others, [jobId, edits]].slice(-MAX_JOBS));
  }

  of(jobId: string): Edits {
    return this.#all().find(([id]) => id === jobId)?.[1] ?? { paths: [], count: 0 };
  }

  #all(): [string, Edits][] {
    return this.#memory.get<[string, Edits][]>(KEY) ?? [];
  }
}
