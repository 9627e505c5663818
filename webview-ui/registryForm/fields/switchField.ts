import { el } from '../../dom/el.ts';
import { originOf } from '../facts/originWords.ts';
import { setText } from '../../dom/setText.ts';
import type { Form } from '../form.ts';
import { FieldDraft } from './fieldDraft.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';

/** On or off. Without the key in the file it shows what counts then, and says where that is from. */
export class SwitchField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #draft: FieldDraft;
  readonly #box = el('input', { class: 'checkbox', attrs: { type: 'checkbox' } });
  readonly #word = el('span', { class: 'switch-word', attrs: { 'aria-hidden': 'true' } });
  readonly #frame: FieldFrame;

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    this.#draft = new FieldDraft(form, place);
    this.#box.addEventListener('change', () => {
      this.#draft.type(String(this.#box.checked));
      this.#draft.commit(true);
    });
    this.#frame = new FieldFrame(form, place, {
      controls: [this.#box, this.#word],
      onRetry: () => this.#draft.commit(true),
      onTakeBack: () => void this.#draft.takeBack(),
    });
    this.element = this.#frame.element;
  }

  show(): void {
    const { path, field } = this.#place;
    const { text } = this.#draft;
    const without = this.#form.inherited(path) ?? field.default ?? false;
    const isOn = text === '' ? without === true : text === 'true';
    if (this.#box.checked !== isOn) this.#box.checked = isOn;
    const origin = originOf(field, this.#form.inherited(path), this.#form.state.role).words;
    const isOdd = text !== '' && text !== 'true' && text !== 'false';
    setText(this.#word, isOdd ? text : text === '' && origin !== '' ? origin : isOn ? 'on' : 'off');
    this.#box.disabled = this.#form.isLocked;
    this.#frame.show();
  }
}
