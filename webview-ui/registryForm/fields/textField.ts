import { el } from '../../dom/el.ts';
import { originOf, shortText } from '../facts/originWords.ts';
import type { Form } from '../form.ts';
import { bindText } from './bindText.ts';
import { FieldDraft } from './fieldDraft.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';

const LINES_AT_MOST = 12;

/** A text, a number, or a number that may be a word. Numbers are typed as text too: nothing that is typed is swallowed. */
export class TextField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #draft: FieldDraft;
  readonly #input: HTMLInputElement | HTMLTextAreaElement;
  readonly #frame: FieldFrame;

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    this.#draft = new FieldDraft(form, place);
    const { kind, choices } = place.field;
    const isNumber = kind === 'number' || kind === 'integer' || kind === 'numberOrAuto';
    this.#input =
      kind === 'longText'
        ? el('textarea', { class: 'input', attrs: { spellcheck: 'false', rows: '1' } })
        : el('input', {
            class: isNumber ? 'input short' : 'input',
            attrs: {
              ...{ type: 'text', spellcheck: 'false', autocomplete: 'off' },
              ...(isNumber && choices === undefined ? { inputmode: 'decimal' } : {}),
            },
          });
    bindText(this.#input, this.#draft, () => this.show());
    this.#frame = new FieldFrame(form, place, {
      controls: [this.#input],
      onRetry: () => this.#draft.commit(true),
      onTakeBack: () => void this.#draft.takeBack(),
    });
    this.element = this.#frame.element;
  }

  show(): void {
    const { text } = this.#draft;
    if (this.#input.value !== text) this.#input.value = text;
    if (this.#input instanceof HTMLTextAreaElement) {
      const lines = Math.min(LINES_AT_MOST, text.split('\n').length);
      if (this.#input.rows !== lines) this.#input.rows = lines;
    }
    const { path, field } = this.#place;
    const origin = originOf(field, this.#form.inherited(path), this.#form.state.role).words;
    const example = origin === '' ? shortText(field.example) : '';
    const placeholder = origin !== '' ? origin : example === '' ? '' : `for example ${example}`;
    if (this.#input.placeholder !== placeholder) this.#input.placeholder = placeholder;
    this.#input.readOnly = this.#form.isLocked;
    this.#frame.show();
  }
}
