import { el } from '../../dom/el.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { setHidden } from '../dom/setHidden.ts';
import { textOf } from '../facts/fieldText.ts';
import { addItem, moveItem, removeItem } from '../facts/itemEdits.ts';
import { listKeys } from '../facts/listKeys.ts';
import { originOf } from '../facts/originWords.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import { Chip } from './chip.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';

/** The choice of a list where a word may stand as well. */
const LIST = 'list';

/** A list of texts as chips, or one of a few words in its place. What counts from elsewhere is shown pale, and written out when it is changed. */
export class ListField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #frame: FieldFrame;
  readonly #select: HTMLSelectElement | null;
  readonly #list: HTMLElement;
  readonly #chips: KeyedList<Chip>;
  readonly #add: HTMLInputElement;
  readonly #addFrame: HTMLElement;

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const id = pathId(place.path);
    const { key, choices } = place.field;
    this.#select = choices === undefined ? null : this.#makeSelect(choices);
    this.#list = el('ul', { class: 'chips', attrs: { 'aria-label': key } });
    this.#chips = new KeyedList(
      this.#list,
      (itemKey) =>
        new Chip({
          text: itemKey.slice(itemKey.indexOf(':') + 1),
          onMove: (chip, by) => this.#move(chip, by),
          onRemove: (chip) => this.#remove(chip),
        }),
    );
    this.#add = el('input', {
      class: 'input add',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'Add…' },
        'aria-label': `Add to ${key}`,
      },
    });
    this.#bindAdd();
    this.#addFrame = el('span', { class: 'add-frame' }, this.#add);
    if (this.#select === null) this.#add.id = id;
    else this.#select.id = id;
    this.#frame = new FieldFrame(form, place, {
      controls: [...(this.#select === null ? [] : [this.#select]), this.#list, this.#addFrame],
      isGroup: true,
    });
    this.element = this.#frame.element;
  }

  show(): void {
    const { path, field } = this.#place;
    const value = this.#form.value(path);
    const isList = this.#select === null || Array.isArray(value);
    const items = isList ? this.#now().shown.map(textOf) : [];
    setHidden(this.#list, items.length === 0);
    this.#list.classList.toggle('from-elsewhere', !Array.isArray(value));
    this.#chips.show(listKeys(items));
    for (const chip of this.#chips.items) chip.setLocked(this.#form.isLocked);
    setHidden(this.#addFrame, !isList || this.#form.isLocked);
    if (this.#select !== null) {
      const [first] = this.#select.options;
      const origin = originOf(field, this.#form.inherited(path), this.#form.state.role).words;
      const label = origin === '' ? 'not said' : origin;
      if (first !== undefined && first.textContent !== label) first.textContent = label;
      const word = value === undefined ? '' : isList ? LIST : textOf(value);
      if (this.#select.value !== word) this.#select.value = word;
      this.#select.disabled = this.#form.isLocked;
    }
    this.#frame.show();
  }

  #now(): { path: Place['path']; own: readonly unknown[] | null; shown: readonly unknown[] } {
    const { path, field } = this.#place;
    const own = this.#form.value(path);
    const shown = own ?? this.#form.inherited(path) ?? field.default;
    return {
      path,
      own: Array.isArray(own) ? own : null,
      shown: Array.isArray(shown) ? shown : [],
    };
  }

  #bindAdd(): void {
    const commit = (): void => {
      const text = this.#add.value.trim();
      if (text === '' || this.#form.isLocked) return;
      this.#add.value = '';
      this.#form.edit(
        this.#place.path,
        () => addItem(this.#now(), text),
        `${text} is added to ${this.#place.field.key}.`,
      );
    };
    this.#add.addEventListener('blur', commit);
    this.#add.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'Enter') {
        event.preventDefault();
        commit();
      } else if (event.key === 'Escape' && this.#add.value !== '') {
        event.stopPropagation();
        this.#add.value = '';
      } else if (event.key === 'Backspace' && this.#add.value === '') {
        this.#chips.items.at(-1)?.focus();
      }
    });
  }

  #move(chip: Chip, by: number): void {
    const place = this.#chips.items.indexOf(chip);
    this.#form.edit(
      this.#place.path,
      () => moveItem(this.#now(), chip.text, place, by),
      `${chip.text} is moved.`,
      () => chip.focus(),
    );
  }

  #remove(chip: Chip): void {
    const place = this.#chips.items.indexOf(chip);
    this.#form.edit(
      this.#place.path,
      () => removeItem(this.#now(), chip.text, place),
      `${chip.text} is removed from ${this.#place.field.key}.`,
      () => {
        const next = this.#chips.items[Math.min(place, this.#chips.items.length - 1)];
        if (next === undefined) this.#add.focus();
        else next.focus();
      },
    );
  }

  #makeSelect(choices: readonly string[]): HTMLSelectElement {
    const select = el(
      'select',
      { class: 'input short' },
      ...['', ...choices, LIST].map((value) => {
        const option = el('option', { text: value === LIST ? 'a list of my own' : value });
        option.value = value;
        return option;
      }),
    );
    select.addEventListener('change', () => {
      const { path, field } = this.#place;
      const { value } = select;
      this.#form.edit(
        path,
        () => {
          if (value === '')
            return this.#form.value(path) === undefined
              ? []
              : [{ kind: 'remove', path: [...path] }];
          return [setEdit(path, value === LIST ? [] : value)];
        },
        `${field.key} is changed.`,
      );
    });
    return select;
  }
}
