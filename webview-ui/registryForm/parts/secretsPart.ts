import { el } from '../../dom/el.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { setHidden } from '../dom/setHidden.ts';
import { secretUses } from '../facts/secretUses.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';
import { SecretRow } from './secretRow.ts';

/** The kept secrets: their names, and what refers to them. A value never comes here. */
export class SecretsPart implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #rows: KeyedList<SecretRow>;
  readonly #empty = el('p', { class: 'empty' });
  readonly #new: HTMLButtonElement;
  #uses = new Map<string, string[]>();

  constructor(form: Form) {
    this.#form = form;
    const list = el('ul', {
      class: 'cards',
      attrs: { role: 'list', 'aria-label': 'Kept secrets' },
    });
    this.#rows = new KeyedList(
      list,
      (name) => new SecretRow(form, name, () => this.#uses.get(name) ?? []),
    );
    this.#new = el('button', {
      class: 'small-button',
      text: 'New key…',
      attrs: { type: 'button' },
      onClick: () => {
        if (form.whyNoActions === null) form.post({ type: 'askSecret' });
      },
    });
    this.element = el(
      'div',
      { class: 'secrets' },
      el('h3', { text: 'Kept secrets' }),
      el('p', {
        class: 'help',
        text: 'Names only. VS Code asks for a value in a box of its own, and no page ever shows one.',
      }),
      this.#empty,
      list,
      el('div', { class: 'add-row' }, this.#new),
    );
  }

  show(): void {
    this.#uses = secretUses(this.#form.state.values);
    const kept = this.#form.live.secrets;
    const missing = [...this.#uses.keys()].filter((name) => !(kept ?? []).includes(name));
    setHidden(this.#empty, kept !== null && kept.length + missing.length > 0);
    this.#empty.textContent =
      kept === null ? 'It is not known yet which secrets are kept.' : 'No secret is kept.';
    this.#rows.show([...new Set([...(kept ?? []), ...missing])].sort());
    const why = this.#form.whyNoActions;
    setAttribute(this.#new, 'aria-disabled', why === null ? null : 'true');
    this.#new.title = why ?? '';
  }
}
