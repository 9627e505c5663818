import type { ReviewTarget } from './reviewTarget.ts';

/** What keeps values over a reload of the window: `vscode.Memento`. */
export interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<unknown>;
}

const KEY = 'reviewTitles';
const MAX_TITLES = 200;

/**
 * What the editors that were opened show, by their titles: VS Code tells extensions nothing else about some of them. Two targets
 * never get the same title.
 */
export class ReviewTitles {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The title to open an editor with: the wanted one, with an end that tells it apart where another target has it. */
  name(wanted: string, target: ReviewTarget): string {
    const titles = this.#titles().filter(([, known]) => !isSame(known, target));
    const isTaken = (title: string) => titles.some(([known]) => known === title);
    const tail = target.jobId.slice(-4);
    const title = [wanted, `${wanted} · ${tail}`].find((each) => !isTaken(each));
    const own = title ?? `${wanted} · ${target.jobId}`;
    void this.#memory.update(KEY, [...titles, [own, target]].slice(-MAX_TITLES));
    return own;
  }

  /** For an editor that VS Code gave a label of its own; the target that was shown under it last counts. */
  alias(label: string, target: ReviewTarget): void {
    const titles = this.#titles().filter(([known]) => known !== label);
    void this.#memory.update(KEY, [...titles, [label, target]].slice(-MAX_TITLES));
  }

  /** The target of the editor with this label. A multi-diff editor puts the number of its files behind its title. */
  find(label: string): ReviewTarget | null {
    const fitting = this.#titles()
      .filter(([title]) => label === title || label.startsWith(`${title} (`))
      .sort(([one], [other]) => other.length - one.length);
    return fitting[0]?.[1] ?? null;
  }

  #titles(): [string, ReviewTarget][] {
    return this.#memory.get<[string, ReviewTarget][]>(KEY) ?? [];
  }
}

function isSame(one: ReviewTarget, other: ReviewTarget): boolean {
  const path = (target: ReviewTarget) => (target.kind === 'job' ? '' : target.path);
  return one.kind === other.kind && one.jobId === other.jobId && path(one) === path(other);
}
