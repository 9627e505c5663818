import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { setHidden } from '../dom/setHidden.ts';
import { ConfirmRemove } from '../fields/confirmRemove.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';

/** One name. */
export class SecretRow implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #name: string;
  readonly #uses: () => readonly string[];
  readonly #words = el('span', { class: 'summary-parts' });
  readonly #set: HTMLButtonElement;
  readonly #delete: HTMLButtonElement;

  constructor(form: Form, name: string, uses: () => readonly string[]) {
    this.#form = form;
    this.#name = name;
    this.#uses = uses;
    const confirm = new ConfirmRemove({
      onRemove: () => form.post({ type: 'deleteSecret', name }),
      onKeep: () => this.#delete.focus(),
    });
    this.#set = smallButton('Set…', `Set ${name}`, () => form.post({ type: 'askSecret', name }));
    this.#delete = smallButton('Delete', `Delete ${name}`, () =>
      confirm.ask(
        `Delete the secret ${name}? Its value cannot be brought back.`,
        this.#uses().map((path) => `${path} uses it`),
        'Delete',
      ),
    );
    this.element = el(
      'li',
      { class: 'entry secret' },
      el(
        'div',
        { class: 'card-head' },
        icon('key'),
        el('span', { class: 'entry-name', text: name }),
        this.#words,
        el('span', { class: 'tools' }, this.#set, this.#delete),
      ),
      confirm.element,
    );
  }

  show(): void {
    const { live, whyNoActions } = this.#form;
    const isKept = live.secrets?.includes(this.#name) === true;
    const uses = this.#uses();
    const used = uses.length === 0 ? 'not used in this file' : `used by ${uses.join(', ')}`;
    setText(this.#words, isKept || live.secrets === null ? used : `not kept · ${used}`);
    this.element.classList.toggle('is-wrong', live.secrets !== null && !isKept);
    setHidden(this.#delete, !isKept);
    for (const button of [this.#set, this.#delete]) {
      setAttribute(button, 'aria-disabled', whyNoActions === null ? null : 'true');
      button.title = whyNoActions ?? '';
    }
  }
}

function smallButton(text: string, label: string, onClick: () => void): HTMLButtonElement {
  return el('button', {
    class: 'small-button',
    text,
    attrs: { type: 'button', 'aria-label': label },
    onClick: (event) => {
      if ((event.currentTarget as HTMLElement).getAttribute('aria-disabled') !== 'true') onClick();
    },
  });
}
