import { el } from '../../dom/el.ts';
import { originOf } from '../facts/originWords.ts';
import type { Form } from '../form.ts';
import { FieldDraft } from './fieldDraft.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';

/** One of a few words, or on and off beside them. The first choice is to leave the key away. */
export class ChoiceField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #draft: FieldDraft;
  readonly #select = el('select', { class: 'input short' });
  readonly #frame: FieldFrame;
  #shown = '';

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    this.#draft = new FieldDraft(form, place);
    this.#select.addEventListener('change', () => {
      this.#draft.type(this.#select.value);
      this.#draft.commit(true);
    });
    this.#frame = new FieldFrame(form, place, {
      controls: [this.#select],
      onRetry: () => this.#draft.commit(true),
      onTakeBack: () => void this.#draft.takeBack(),
    });
    this.element = this.#frame.element;
  }

  show(): void {
    const { path, field } = this.#place;
    const { text } = this.#draft;
    const origin = originOf(field, this.#form.inherited(path), this.#form.state.role).words;
    const known = [
      ...(field.kind === 'switchOrWord' ? ['true', 'false'] : []),
      ...(field.choices ?? []),
    ];
    const rows: (readonly [value: string, label: string])[] = [
      ['', origin === '' ? 'not said' : origin],
      ...known.map((word) => [word, wordOf(field.kind, word)] as const),
    ];
    // What the file says is shown, also where it is none of the choices.
    if (text !== '' && !known.includes(text)) rows.push([text, `${text} (no choice)`]);
    const signature = JSON.stringify(rows);
    if (signature !== this.#shown) {
      this.#shown = signature;
      this.#select.replaceChildren(
        ...rows.map(([value, label]) => {
          const option = el('option', { text: label });
          option.value = value;
          return option;
        }),
      );
    }
    if (this.#select.value !== text) this.#select.value = text;
    this.#select.disabled = this.#form.isLocked;
    this.#frame.show();
  }
}

function wordOf(kind: Place['field']['kind'], word: string): string {
  if (kind !== 'switchOrWord') return word;
  return word === 'true' ? 'on' : word === 'false' ? 'off' : word;
}
