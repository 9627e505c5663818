import { el } from '../../dom/el.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';

/** Some of a few words: a box for each. */
export class ChoiceListField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #frame: FieldFrame;
  readonly #boxes: readonly (readonly [word: string, box: HTMLInputElement])[];

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const id = pathId(place.path);
    this.#boxes = (place.field.choices ?? []).map((word, n) => {
      const box = el('input', {
        class: 'checkbox',
        attrs: { type: 'checkbox', id: n === 0 ? id : `${id}-${n}` },
      });
      box.addEventListener('change', () => this.#onChange(word, box.checked));
      return [word, box];
    });
    this.#frame = new FieldFrame(form, place, {
      controls: this.#boxes.map(([word, box]) => el('label', { class: 'choice' }, box, word)),
      isGroup: true,
    });
    this.element = this.#frame.element;
  }

  show(): void {
    const chosen = this.#chosen();
    for (const [word, box] of this.#boxes) {
      if (box.checked !== chosen.includes(word)) box.checked = chosen.includes(word);
      box.disabled = this.#form.isLocked;
    }
    this.#frame.show();
  }

  #chosen(): readonly unknown[] {
    const value = this.#form.effective(this.#place.path) ?? this.#place.field.default;
    return Array.isArray(value) ? value : [];
  }

  #onChange(word: string, isChosen: boolean): void {
    const { path, field } = this.#place;
    this.#form.edit(
      path,
      () => {
        const others = this.#chosen().filter((each) => each !== word);
        const wanted = isChosen ? [...others, word] : others;
        return [
          setEdit(
            path,
            (field.choices ?? []).filter((each) => wanted.includes(each)),
          ),
        ];
      },
      `${word} is ${isChosen ? 'chosen' : 'not chosen'} for ${field.key}.`,
    );
  }
}
