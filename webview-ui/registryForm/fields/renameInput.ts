import { el } from '../../dom/el.ts';

interface RenameInputOptions {
  readonly name: string;
  /** Null: the name may be taken. */
  readonly whyNot: (to: string) => string | null;
  readonly onRename: (to: string) => void;
  readonly onEnd: () => void;
}

/** Another name, typed in place: Enter takes it, Escape does not, and a bad one stays with the reason. */
export class RenameInput {
  readonly element: HTMLElement;
  readonly #options: RenameInputOptions;
  readonly #input: HTMLInputElement;
  readonly #wrong = el('span', { class: 'wrong', attrs: { role: 'alert' } });

  constructor(options: RenameInputOptions) {
    this.#options = options;
    this.#input = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off' },
        'aria-label': `New name of ${options.name}`,
      },
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      // Not the keys of the card.
      event.stopPropagation();
      if (event.key === 'Enter') this.#take();
      else if (event.key === 'Escape') this.#close();
    });
    this.element = el('span', { class: 'rename' }, this.#input, this.#wrong);
    this.element.hidden = true;
  }

  open(): void {
    this.element.hidden = false;
    this.#input.value = this.#options.name;
    this.#wrong.textContent = '';
    this.#input.focus();
    this.#input.select();
  }

  #take(): void {
    const to = this.#input.value.trim();
    const why = to === this.#options.name ? null : this.#options.whyNot(to);
    this.#wrong.textContent = why ?? '';
    if (why !== null) return;
    this.#close();
    if (to !== this.#options.name) this.#options.onRename(to);
  }

  #close(): void {
    this.element.hidden = true;
    this.#options.onEnd();
  }
}
