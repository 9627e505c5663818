import { el } from '../../dom/el.ts';
import { setHidden } from '../dom/setHidden.ts';
import { readText } from '../facts/fieldText.ts';
import { groupOf } from '../facts/group.ts';
import { shortText } from '../facts/originWords.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import type { EntryKind } from './entryKind.ts';
import type { Place } from './fieldView.ts';

/** The row that makes a new entry: its name, and what it is of no use without. */
export class AddEntry {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #kind: EntryKind;
  readonly #first: HTMLInputElement | null;
  readonly #wrong: HTMLElement;

  constructor(form: Form, place: Place, kind: EntryKind) {
    this.#form = form;
    this.#place = place;
    this.#kind = kind;
    const wrongId = `${pathId(place.path)}-add-wrong`;
    this.input = this.#makeInput(`Name of a new ${kind.noun}`, kind.nameLabel, wrongId);
    this.input.id = pathId(place.path);
    const first = this.#firstField();
    this.#first =
      first === undefined
        ? null
        : this.#makeInput(
            `${first.key} of the new ${kind.noun}`,
            shortText(first.example ?? first.default) || first.key,
            wrongId,
          );
    this.#wrong = el('p', { class: 'wrong', attrs: { role: 'alert', id: wrongId } });
    this.#wrong.hidden = true;
    this.element = el(
      'div',
      { class: 'add-entry' },
      el(
        'div',
        { class: 'add-row' },
        this.input,
        this.#first,
        el('button', {
          class: 'small-button',
          text: `Add ${kind.noun}`,
          attrs: { type: 'button' },
          onClick: () => this.#add(),
        }),
      ),
      this.#wrong,
    );
  }

  show(): void {
    this.element.hidden = this.#form.isLocked;
  }

  #firstField() {
    return this.#place.field.entry?.fields?.find(({ key }) => key === this.#kind.firstKey);
  }

  #makeInput(label: string, placeholder: string, wrongId: string): HTMLInputElement {
    const input = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder },
        'aria-label': label,
        'aria-describedby': wrongId,
      },
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      this.#add();
    });
    return input;
  }

  #add(): void {
    const name = this.input.value.trim();
    const { path } = this.#place;
    const first = this.#firstField();
    const reading =
      first === undefined || this.#first === null
        ? null
        : readText(first, this.#first.value.trim() || textOfDefault(first.default));
    const why = this.#whyNot(name) ?? (reading?.kind === 'bad' ? reading.message : null);
    setHidden(this.#wrong, why === null);
    this.#wrong.textContent = why ?? '';
    if (why !== null) {
      this.input.focus();
      return;
    }
    const value =
      first !== undefined && reading?.kind === 'value' ? { [first.key]: reading.value } : {};
    const entry = [...path, name];
    this.#form.edit(
      path,
      () => (this.#form.value(entry) === undefined ? [setEdit(entry, value)] : null),
      `The ${this.#kind.noun} ${name} is added.`,
      () => {
        this.input.value = '';
        if (this.#first !== null) this.#first.value = '';
        this.#form.setOpen(entry, true);
        this.#form.reveal(entry);
      },
    );
  }

  #whyNot(name: string): string | null {
    if (name === '') return `Type the ${this.#kind.nameLabel} of the new ${this.#kind.noun} first.`;
    return Object.hasOwn(groupOf(this.#form.value(this.#place.path)) ?? {}, name)
      ? `There is a ${this.#kind.noun} ${name} already.`
      : null;
  }
}

function textOfDefault(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
