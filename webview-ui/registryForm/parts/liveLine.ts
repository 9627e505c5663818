import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { setHidden } from '../dom/setHidden.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';

/** How old what is shown as live is. */
export class LiveLine implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #words = el('span', {});
  readonly #spin = icon('loading');

  constructor(form: Form) {
    this.#form = form;
    this.element = el('p', { class: 'live-line' }, this.#spin, this.#words);
  }

  show(): void {
    const { words, isLive } = this.#form.liveAge();
    setHidden(this.#spin, !this.#form.isAsking);
    this.element.classList.toggle('is-old', !isLive);
    setText(this.#words, this.#form.whyNoActions ?? words);
  }
}
