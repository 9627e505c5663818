import { RowHeights } from './rowHeights.ts';

interface VirtualListOptions<Item> {
  /** What scrolls; the list fills it. */
  readonly scroller: HTMLElement;
  readonly estimate: () => number;
  readonly keyOf: (item: Item) => number;
  readonly render: (item: Item) => HTMLElement;
  /** Enter or Space on a row. */
  readonly onActivate: (item: Item) => void;
  readonly onFollow: (isFollowing: boolean) => void;
}

interface Row<Item> {
  readonly element: HTMLElement;
  /** What it shows; null: it has to be drawn anew. */
  readonly item: Item | null;
}

const OVERSCAN_PX = 400;
const AT_END_PX = 12;

/**
 * A list of any length of which only what is in sight is in the document. Rows have their own heights, which are measured. It stays where
 * the reader is when rows come before, grow or are let go; it follows the end until the reader scrolls up. One row can be focused; keys
 * move from row to row.
 */
export class VirtualList<Item> {
  readonly #options: VirtualListOptions<Item>;
  readonly #sizer = document.createElement('div');
  readonly #heights: RowHeights;
  readonly #rows = new Map<number, Row<Item>>();
  readonly #keyOfElement = new WeakMap<Element, number>();
  readonly #observer = new ResizeObserver((entries) => this.#onResize(entries));
  #items: readonly Item[] = [];
  #focusedKey: number | null = null;
  #isFollowing = true;
  #scrolledTo = 0;
  #width = 0;
  #isDrawAsked = false;

  constructor(options: VirtualListOptions<Item>) {
    const { scroller, estimate } = options;
    this.#options = options;
    this.#heights = new RowHeights(estimate);
    this.#sizer.className = 'sizer';
    this.#sizer.setAttribute('role', 'presentation');
    scroller.append(this.#sizer);
    scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    scroller.addEventListener('keydown', (event) => this.#onKey(event));
    scroller.addEventListener('focusin', (event) => this.#onFocus(event));
    this.#observer.observe(scroller);
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** The first row in sight. */
  get firstInSight(): Item | undefined {
    return this.#items[this.#heights.indexAt(this.#options.scroller.scrollTop)];
  }

  setItems(items: readonly Item[]): void {
    this.#keepingPlace(() => {
      this.#items = items;
      this.#heights.setKeys(items.map(this.#options.keyOf));
    });
  }

  /** All rows are drawn anew, and measured: they look different now. */
  redraw(): void {
    this.#keepingPlace(() => {
      for (const [key, row] of this.#rows) this.#remove(key, row);
      this.#heights.forget();
    });
  }

  /** This row looks different now. */
  redrawItem(item: Item): void {
    const key = this.#options.keyOf(item);
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.set(key, { ...row, item: null });
    this.#draw();
  }

  follow(): void {
    this.#setFollowing(true);
    this.#toEnd();
  }

  /** Stops following, with this row at the top. */
  showAt(index: number): void {
    this.#setFollowing(false);
    this.#scrollTo(this.#heights.top(index));
    this.#draw();
  }

  #keepingPlace(change: () => void): void {
    const { scroller } = this.#options;
    const index = this.#heights.indexAt(scroller.scrollTop);
    const anchor = this.#items[index];
    const into = scroller.scrollTop - this.#heights.top(index);
    const isAtTop = scroller.scrollTop <= 0;
    change();
    this.#sizer.style.height = `${this.#heights.total}px`;
    if (this.#isFollowing) {
      this.#toEnd();
      return;
    }
    const place = anchor === undefined ? -1 : this.#indexOfKey(this.#options.keyOf(anchor));
    if (place >= 0 && !(isAtTop && place === 0)) this.#scrollTo(this.#heights.top(place) + into);
    this.#draw();
  }

  #toEnd(): void {
    this.#scrollTo(this.#heights.total);
    this.#draw();
  }

  #scrollTo(top: number): void {
    const { scroller } = this.#options;
    scroller.scrollTop = top;
    this.#scrolledTo = scroller.scrollTop;
  }

  #onScroll(): void {
    const { scroller } = this.#options;
    if (scroller.scrollTop !== this.#scrolledTo) {
      const toEnd = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      this.#setFollowing(toEnd <= AT_END_PX);
      this.#scrolledTo = scroller.scrollTop;
    }
    if (this.#isDrawAsked) return;
    this.#isDrawAsked = true;
    requestAnimationFrame(() => {
      this.#isDrawAsked = false;
      this.#draw();
    });
  }

  #setFollowing(isFollowing: boolean): void {
    if (this.#isFollowing === isFollowing) return;
    this.#isFollowing = isFollowing;
    this.#options.onFollow(isFollowing);
  }

  #draw(): void {
    const { scroller, keyOf } = this.#options;
    const from = this.#heights.indexAt(scroller.scrollTop - OVERSCAN_PX);
    const to = this.#heights.indexAt(scroller.scrollTop + scroller.clientHeight + OVERSCAN_PX);
    const wanted = new Set<number>();
    const focused = this.#focusedKey === null ? -1 : this.#indexOfKey(this.#focusedKey);
    const places = Array.from({ length: to - from + 1 }, (_, n) => from + n);
    // The row that has the focus stays in the document wherever it is: else the focus were lost.
    if (focused >= 0 && (focused < from || focused > to)) places.push(focused);
    for (const index of places) {
      const item = this.#items[index];
      if (item === undefined) continue;
      const key = keyOf(item);
      wanted.add(key);
      this.#place(key, item, index);
    }
    for (const [key, row] of this.#rows) if (!wanted.has(key)) this.#remove(key, row);
    this.#setTabStop(from);
  }

  #place(key: number, item: Item, index: number): void {
    let row = this.#rows.get(key);
    if (row === undefined || row.item !== item) {
      const element = this.#options.render(item);
      const hadFocus = row?.element === document.activeElement;
      if (row === undefined) this.#insert(element, index);
      else {
        this.#observer.unobserve(row.element);
        row.element.replaceWith(element);
      }
      row = { element, item };
      this.#rows.set(key, row);
      this.#keyOfElement.set(element, key);
      element.tabIndex = -1;
      if (hadFocus) element.focus({ preventScroll: true });
      this.#observer.observe(element);
    }
    const { element } = row;
    element.style.transform = `translateY(${this.#heights.top(index)}px)`;
    element.setAttribute('aria-posinset', String(index + 1));
    element.setAttribute('aria-setsize', String(this.#items.length));
  }

  /** In the order of the list, for those who read the document and do not see it. */
  #insert(element: HTMLElement, index: number): void {
    for (const other of this.#sizer.children) {
      if (Number(other.getAttribute('aria-posinset')) > index + 1) {
        other.before(element);
        return;
      }
    }
    this.#sizer.append(element);
  }

  #remove(key: number, { element }: Row<Item>): void {
    this.#observer.unobserve(element);
    element.remove();
    this.#rows.delete(key);
  }

  /** The list is one stop of the Tab key: at the row that was last focused, else at the first in sight. */
  #setTabStop(from: number): void {
    const { keyOf, scroller } = this.#options;
    const first = this.#items[Math.max(from, this.#heights.indexAt(scroller.scrollTop))];
    const key = this.#focusedKey ?? (first === undefined ? null : keyOf(first));
    for (const [each, { element }] of this.#rows) {
      const tabIndex = each === key ? 0 : -1;
      if (element.tabIndex !== tabIndex) element.tabIndex = tabIndex;
    }
  }

  #onResize(entries: readonly ResizeObserverEntry[]): void {
    const { scroller } = this.#options;
    const heights = new Map<number, number>();
    let isOtherWidth = false;
    for (const entry of entries) {
      if (entry.target === scroller) {
        isOtherWidth = scroller.clientWidth !== this.#width;
        this.#width = scroller.clientWidth;
        continue;
      }
      const key = this.#keyOfElement.get(entry.target);
      const height = entry.borderBoxSize[0]?.blockSize;
      // Zero: it has left the document meanwhile.
      if (key !== undefined && height !== undefined && height > 0) heights.set(key, height);
    }
    this.#keepingPlace(() => {
      if (isOtherWidth) {
        this.#heights.forget();
        for (const [key, { element }] of this.#rows) heights.set(key, element.offsetHeight);
      }
      this.#heights.measure(heights);
    });
  }

  #onFocus(event: FocusEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[aria-posinset]') : null;
    const key = row === null ? undefined : this.#keyOfElement.get(row);
    if (key === undefined || key === this.#focusedKey) return;
    this.#focusedKey = key;
    this.#draw();
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#focusedKey === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.#indexOfKey(this.#focusedKey);
    const item = this.#items[index];
    if (item === undefined) return;
    const isOnRow = event.target instanceof Element && event.target.matches('[aria-posinset]');
    if (isOnRow && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      this.#options.onActivate(item);
      return;
    }
    const next = this.#goal(event.key, index);
    if (next === null) return;
    event.preventDefault();
    this.#focusRow(next);
  }

  #goal(key: string, index: number): number | null {
    const { scroller } = this.#options;
    const last = this.#items.length - 1;
    switch (key) {
      case 'ArrowDown':
        return Math.min(index + 1, last);
      case 'ArrowUp':
        return Math.max(index - 1, 0);
      case 'PageDown':
        return this.#heights.indexAt(this.#heights.top(index) + scroller.clientHeight);
      case 'PageUp':
        return this.#heights.indexAt(this.#heights.top(index) - scroller.clientHeight);
      case 'Home':
        return 0;
      case 'End':
        return last;
      default:
        return null;
    }
  }

  #focusRow(index: number): void {
    const { scroller, keyOf } = this.#options;
    const item = this.#items[index];
    if (item === undefined) return;
    this.#focusedKey = keyOf(item);
    const top = this.#heights.top(index);
    const height = this.#heights.height(index);
    if (top < scroller.scrollTop) this.#scrollTo(top);
    else if (top + height > scroller.scrollTop + scroller.clientHeight)
      this.#scrollTo(Math.min(top, top + height - scroller.clientHeight));
    const toEnd = this.#heights.total - scroller.clientHeight - scroller.scrollTop;
    this.#setFollowing(toEnd <= AT_END_PX);
    this.#draw();
    this.#rows.get(this.#focusedKey)?.element.focus({ preventScroll: true });
  }

  #indexOfKey(key: number): number {
    // Keys grow along the list.
    const { keyOf } = this.#options;
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && keyOf(item) < key) low = middle + 1;
      else high = middle;
    }
    const found = this.#items[low];
    return found !== undefined && keyOf(found) === key ? low : -1;
  }
}
