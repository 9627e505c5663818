import { el } from '../../dom/el.ts';

interface ConfirmRemoveOptions {
  readonly onRemove: () => void;
  readonly onKeep: () => void;
}

/** Asks in place before something goes, and says what would miss it. */
export class ConfirmRemove {
  readonly element = el('div', { class: 'confirm', attrs: { role: 'group' } });
  readonly #options: ConfirmRemoveOptions;

  constructor(options: ConfirmRemoveOptions) {
    this.#options = options;
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#end(options.onKeep);
    });
  }

  ask(question: string, missed: readonly string[], verb = 'Remove'): void {
    const yes = el('button', {
      class: 'small-button danger',
      text: verb,
      attrs: { type: 'button' },
      onClick: () => this.#end(this.#options.onRemove),
    });
    this.element.setAttribute('aria-label', question);
    this.element.replaceChildren(
      el('p', { class: 'question', text: question }),
      ...(missed.length === 0
        ? []
        : [el('ul', {}, ...missed.map((text) => el('li', { text: `${text}.` })))]),
      el(
        'div',
        { class: 'confirm-buttons' },
        yes,
        el('button', {
          class: 'small-button',
          text: 'Keep',
          attrs: { type: 'button' },
          onClick: () => this.#end(this.#options.onKeep),
        }),
      ),
    );
    this.element.hidden = false;
    yes.focus();
  }

  #end(then: () => void): void {
    this.element.hidden = true;
    this.element.replaceChildren();
    then();
  }
}
