import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { gapAt, placeInGap } from '../facts/reorder.ts';

/** A pointer that has moved less has only clicked. */
const DRAG_PX = 4;
const SCROLL_EDGE_PX = 48;
const SCROLL_STEP_PX = 14;

/** The rows of a list change places: by dragging their grip, and by Alt with the arrow keys. The list itself changes nothing. */
export class Reorder {
  readonly #list: HTMLElement;
  readonly #onMove: (from: number, to: number) => void;
  isLocked = false;

  constructor(list: HTMLElement, onMove: (from: number, to: number) => void) {
    this.#list = list;
    this.#onMove = onMove;
  }

  /** The handle of a row, for the pointer alone: the keyboard has keys and buttons. */
  grip(row: HTMLElement): HTMLElement {
    const grip = el('span', { class: 'grip', attrs: { 'aria-hidden': 'true' } }, icon('gripper'));
    grip.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.isLocked) return;
      event.preventDefault();
      this.#drag(grip, row, event);
    });
    return grip;
  }

  listenToKeys(row: HTMLElement): void {
    row.addEventListener('keydown', (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      event.stopPropagation();
      this.step(row, event.key === 'ArrowUp' ? -1 : 1);
    });
  }

  /** Moves a row by one place, if there is one. */
  step(row: HTMLElement, by: -1 | 1): void {
    const rows = this.#rows();
    const from = rows.indexOf(row);
    const to = from + by;
    if (!this.isLocked && from >= 0 && to >= 0 && to < rows.length) this.#onMove(from, to);
  }

  #rows(): Element[] {
    return [...this.#list.children];
  }

  #drag(grip: HTMLElement, row: HTMLElement, start: PointerEvent): void {
    const rows = this.#rows();
    const from = rows.indexOf(row);
    const topOfList = this.#list.getBoundingClientRect().top;
    // Measured once, from the list's own edge: scrolling moves both.
    const middles = rows.map((each) => {
      const { top, height } = each.getBoundingClientRect();
      return top + height / 2 - topOfList;
    });
    const over = new AbortController();
    let gap: number | null = null;

    const mark = (next: number | null): void => {
      gap = next;
      for (const [place, each] of rows.entries()) {
        each.classList.toggle('drop-above', next === place);
        each.classList.toggle('drop-below', next === rows.length && place === rows.length - 1);
      }
      row.classList.toggle('dragged', next !== null);
    };
    const end = (isDropped: boolean): void => {
      over.abort();
      const target = gap;
      mark(null);
      if (!isDropped || target === null) return;
      const to = placeInGap(from, target);
      if (to !== from) this.#onMove(from, to);
    };

    grip.setPointerCapture(start.pointerId);
    const { signal } = over;
    grip.addEventListener(
      'pointermove',
      ({ clientY }) => {
        if (gap === null && Math.abs(clientY - start.clientY) < DRAG_PX) return;
        this.#scrollAtEdge(clientY);
        mark(gapAt(clientY - this.#list.getBoundingClientRect().top, middles));
      },
      { signal },
    );
    grip.addEventListener('pointerup', () => end(true), { signal });
    grip.addEventListener('pointercancel', () => end(false), { signal });
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        end(false);
      },
      { signal, capture: true },
    );
  }

  #scrollAtEdge(clientY: number): void {
    const frame = this.#list.closest('.scroll');
    if (frame === null) return;
    const { top, bottom } = frame.getBoundingClientRect();
    if (clientY < top + SCROLL_EDGE_PX) frame.scrollBy(0, -SCROLL_STEP_PX);
    else if (clientY > bottom - SCROLL_EDGE_PX) frame.scrollBy(0, SCROLL_STEP_PX);
  }
}
