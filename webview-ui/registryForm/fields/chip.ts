import { el } from '../../dom/el.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setHidden } from '../dom/setHidden.ts';
import type { View } from './fieldView.ts';

interface ChipOptions {
  readonly text: string;
  readonly onMove: (chip: Chip, by: number) => void;
  readonly onRemove: (chip: Chip) => void;
}

/** One text of a list: Delete takes it away, Alt with an arrow key moves it. */
export class Chip implements View {
  readonly element: HTMLElement;
  readonly text: string;
  readonly #main: HTMLElement;
  readonly #remove: HTMLButtonElement;
  #isLocked = false;

  constructor({ text, onMove, onRemove }: ChipOptions) {
    this.text = text;
    this.#main = el('span', {
      class: 'chip-text',
      text,
      title: 'Delete removes it, Alt with an arrow key moves it.',
      attrs: {
        tabindex: '0',
        role: 'button',
        'aria-label': `${text}. Delete removes it, Alt with an arrow key moves it.`,
      },
    });
    this.#remove = iconButton('close', `Remove ${text}`, () => onRemove(this));
    // The keyboard has Delete: a list of thirty is not sixty stops.
    this.#remove.tabIndex = -1;
    this.element = el('li', { class: 'chip' }, this.#main, this.#remove);
    this.#main.addEventListener('keydown', (event) => {
      if (this.#isLocked) return;
      const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (event.altKey && by !== undefined) onMove(this, by);
      else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(this);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  show(): void {
    // A chip never changes: another text is another chip.
  }

  focus(): void {
    this.#main.focus();
  }

  setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked;
    setHidden(this.#remove, isLocked);
  }
}
