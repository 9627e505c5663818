import { el } from '../../dom/el.ts';
import { setHidden } from '../dom/setHidden.ts';
import { keyChoice, whyNoReference } from '../facts/keyChoice.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import type { Place, View } from './fieldView.ts';
import { MapField } from './mapField.ts';

const NEW_KEY = '\u0000new';
const MODES = [
  ['none', 'no key'],
  ['env', 'an environment variable'],
  ['secret', 'a kept secret'],
  ['byModel', 'one for each model'],
] as const;

/** The key of a server: named, never typed. What the page sends is a reference; a key itself is asked for by VS Code. */
export class KeyField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #map: MapField;
  readonly #mode: HTMLSelectElement;
  readonly #variable: HTMLInputElement;
  readonly #secret: HTMLSelectElement;
  readonly #note = el('span', { class: 'note' });
  /** Chosen, and not yet written since its name is still to come. */
  #pending: (typeof MODES)[number][0] | null = null;
  #shownSecrets = '';

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const { key } = place.field;
    this.#mode = el(
      'select',
      { class: 'input short', attrs: { id: pathId(place.path), 'aria-label': `${key}: kind` } },
      ...MODES.map(([value, label]) => optionOf(value, label)),
    );
    this.#mode.addEventListener('change', () => this.#onMode());
    this.#variable = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'NAME' },
        'aria-label': `${key}: name of the environment variable`,
      },
    });
    this.#bindVariable();
    this.#secret = el('select', {
      class: 'input short',
      attrs: { 'aria-label': `${key}: name of the kept secret` },
    });
    this.#secret.addEventListener('change', () => this.#onSecret());
    this.#map = new MapField(form, place, {
      whyNot: whyNoReference,
      before: el(
        'div',
        { class: 'key-choice' },
        this.#mode,
        this.#variable,
        this.#secret,
        this.#note,
      ),
    });
    this.element = this.#map.element;
  }

  show(): void {
    this.#map.show();
    const choice = keyChoice(this.#form.value(this.#place.path));
    const { isLocked } = this.#form;
    if (this.#pending !== null && choice.kind === this.#pending) this.#pending = null;
    const kind = this.#pending ?? choice.kind;
    this.#showMode(kind);
    this.#mode.disabled = isLocked;
    setHidden(this.#variable, kind !== 'env');
    this.#variable.readOnly = isLocked;
    if (document.activeElement !== this.#variable)
      this.#variable.value = choice.kind === 'env' ? choice.name : '';
    setHidden(this.#secret, kind !== 'secret');
    this.#secret.disabled = isLocked;
    this.#showSecrets(choice.kind === 'secret' ? choice.name : '');
    this.#map.setShown(kind === 'byModel');
    this.#note.textContent =
      choice.kind === 'literal'
        ? 'A key stands in the file itself.'
        : choice.kind === 'other'
          ? choice.text
          : '';
  }

  /** What is none of the choices is shown as one, so that the box never says what is not so. */
  #showMode(kind: string): void {
    const odd = kind === 'literal' ? 'written in the file' : kind === 'other' ? 'a text' : null;
    const last = this.#mode.options[MODES.length];
    if (odd === null) last?.remove();
    else if (last === undefined) this.#mode.append(optionOf(kind, odd));
    if (this.#mode.value !== kind) this.#mode.value = kind;
  }

  #showSecrets(chosen: string): void {
    const kept = this.#form.live.secrets ?? [];
    const signature = JSON.stringify([kept, chosen, this.#form.whyNoActions]);
    if (signature !== this.#shownSecrets) {
      this.#shownSecrets = signature;
      this.#secret.replaceChildren(
        optionOf('', 'Choose…'),
        ...kept.map((name) => optionOf(name, name)),
        ...(chosen === '' || kept.includes(chosen)
          ? []
          : [
              optionOf(
                chosen,
                `${chosen} (not kept${this.#form.live.secrets === null ? ' as far as known' : ''})`,
              ),
            ]),
        ...(this.#form.whyNoActions === null ? [optionOf(NEW_KEY, 'New key…')] : []),
      );
    }
    if (this.#secret.value !== chosen) this.#secret.value = chosen;
  }

  #onMode(): void {
    const kind = this.#mode.value;
    const { path } = this.#place;
    if (kind === 'none') {
      this.#pending = null;
      this.#write(undefined);
    } else if (kind === 'byModel' || kind === 'env' || kind === 'secret') {
      // Nothing is written before there is a name: what counts now counts until then.
      this.#pending = keyChoice(this.#form.value(path)).kind === kind ? null : kind;
      this.show();
      if (kind === 'byModel') this.#map.focusAdd();
      else (kind === 'env' ? this.#variable : this.#secret).focus();
    }
  }

  #bindVariable(): void {
    const commit = (): void => {
      const name = this.#variable.value.trim();
      const now = keyChoice(this.#form.value(this.#place.path));
      if (this.#form.isLocked || name === '' || (now.kind === 'env' && now.name === name)) return;
      this.#write(`\${env:${name}}`);
    };
    this.#variable.addEventListener('blur', commit);
    this.#variable.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'Enter') {
        event.preventDefault();
        commit();
      } else if (event.key === 'Escape') {
        const now = keyChoice(this.#form.value(this.#place.path));
        const before = now.kind === 'env' ? now.name : '';
        if (this.#variable.value === before && this.#pending === null) return;
        event.stopPropagation();
        this.#pending = null;
        this.#variable.value = before;
        this.#mode.focus();
        this.show();
      }
    });
  }

  #onSecret(): void {
    const name = this.#secret.value;
    if (name === NEW_KEY) {
      this.#form.post({ type: 'askSecret', path: [...this.#place.path] });
      this.show();
    } else if (name !== '') this.#write(`\${secret:${name}}`);
  }

  #write(value: unknown): void {
    const { path, field } = this.#place;
    this.#form.edit(
      path,
      () => {
        if (value !== undefined) return [setEdit(path, value)];
        return this.#form.value(path) === undefined ? [] : [{ kind: 'remove', path: [...path] }];
      },
      `${field.key} is changed.`,
    );
  }
}

function optionOf(value: string, label: string): HTMLOptionElement {
  const option = el('option', { text: label });
  option.value = value;
  return option;
}
