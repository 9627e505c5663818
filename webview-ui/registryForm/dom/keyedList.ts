import type { View } from '../fields/fieldView.ts';

/** Elements for a list of names: what stays is kept, with its focus and what is typed in it; only what changes is touched. */
export class KeyedList<Item extends View> {
  readonly #parent: HTMLElement;
  readonly #make: (key: string, place: number) => Item;
  #items = new Map<string, Item>();

  constructor(parent: HTMLElement, make: (key: string, place: number) => Item) {
    this.#parent = parent;
    this.#make = make;
  }

  /** `keys` are unique. */
  show(keys: readonly string[]): void {
    const focused = document.activeElement;
    const next = new Map<string, Item>();
    for (const [place, key] of keys.entries())
      next.set(key, this.#items.get(key) ?? this.#make(key, place));
    for (const [key, item] of this.#items) if (!next.has(key)) item.element.remove();
    this.#items = next;
    this.#place([...next.values()].map(({ element }) => element));
    for (const item of next.values()) item.show();
    // An element that is put elsewhere loses the focus.
    if (
      focused !== document.activeElement &&
      focused instanceof HTMLElement &&
      this.#parent.contains(focused)
    )
      focused.focus();
  }

  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  /** From behind: whatever stands right stays untouched. */
  #place(elements: readonly HTMLElement[]): void {
    let behind: Element | null = null;
    for (const element of elements.toReversed()) {
      if (element.parentElement !== this.#parent || element.nextElementSibling !== behind)
        this.#parent.insertBefore(element, behind);
      behind = element;
    }
  }
}
