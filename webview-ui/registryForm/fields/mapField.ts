import { el } from '../../dom/el.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { setHidden } from '../dom/setHidden.ts';
import { groupOf } from '../facts/group.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import { FieldFrame } from './fieldFrame.ts';
import type { Place, View } from './fieldView.ts';
import { MapRow } from './mapRow.ts';

interface MapFieldOptions {
  /** Why a value may not be written; null: it may. */
  readonly whyNot?: (text: string) => string | null;
  /** What stands before the rows. */
  readonly before?: HTMLElement;
}

/** Free names, each with a text: headers, variables. */
export class MapField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #frame: FieldFrame;
  readonly #rows: KeyedList<MapRow>;
  readonly #list: HTMLElement;
  readonly #name: HTMLInputElement;
  readonly #value: HTMLInputElement;
  readonly #addRow: HTMLElement;
  readonly #wrong = el('p', { class: 'wrong', attrs: { role: 'alert' } });
  readonly #whyNot: (text: string) => string | null;

  constructor(form: Form, place: Place, options: MapFieldOptions = {}) {
    this.#form = form;
    this.#place = place;
    this.#whyNot = options.whyNot ?? (() => null);
    const id = pathId(place.path);
    const { key } = place.field;
    this.#list = el('ul', { class: 'map', attrs: { 'aria-label': key } });
    this.#rows = new KeyedList(
      this.#list,
      (name) => new MapRow(form, place, name, this.#whyNot, () => this.#name.focus()),
    );
    this.#name = textInput(`Name of a new entry of ${key}`, 'name');
    this.#value = textInput(`Value of the new entry of ${key}`, 'value');
    if (options.before === undefined) this.#name.id = id;
    for (const input of [this.#name, this.#value])
      input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' || event.isComposing) return;
        event.preventDefault();
        this.#add();
      });
    this.#wrong.hidden = true;
    this.#addRow = el(
      'div',
      { class: 'map-row' },
      this.#name,
      this.#value,
      el('button', {
        class: 'small-button',
        text: 'Add',
        attrs: { type: 'button', 'aria-label': `Add to ${key}` },
        onClick: () => this.#add(),
      }),
    );
    this.#frame = new FieldFrame(form, place, {
      controls: [
        ...(options.before === undefined ? [] : [options.before]),
        this.#list,
        this.#addRow,
        this.#wrong,
      ],
      isGroup: true,
    });
    this.element = this.#frame.element;
  }

  focusAdd(): void {
    this.#name.focus();
  }

  /** False: its rows are not wanted, since another kind of value stands there. */
  setShown(isShown: boolean): void {
    setHidden(this.#list, !isShown);
    setHidden(this.#addRow, !isShown || this.#form.isLocked);
  }

  show(): void {
    const own = groupOf(this.#form.value(this.#place.path));
    const names = Object.keys(own ?? {});
    this.#rows.show(names);
    this.setShown(true);
    setHidden(this.#list, names.length === 0);
    this.#frame.show();
  }

  #add(): void {
    const name = this.#name.value.trim();
    const value = this.#value.value;
    const { path, field } = this.#place;
    const why =
      name === ''
        ? 'Give it a name.'
        : Object.hasOwn(groupOf(this.#form.value(path)) ?? {}, name)
          ? `${name} is there already.`
          : this.#whyNot(value);
    setHidden(this.#wrong, why === null);
    this.#wrong.textContent = why ?? '';
    if (why !== null) return;
    this.#form.edit(
      path,
      // Another kind of value is replaced: one key for all by one for each model.
      () => [
        groupOf(this.#form.value(path)) === null
          ? setEdit(path, { [name]: value })
          : setEdit([...path, name], value),
      ],
      `${name} is added to ${field.key}.`,
      () => {
        if (this.#name.value.trim() === name) this.#name.value = this.#value.value = '';
        this.#name.focus();
      },
    );
  }
}

function textInput(label: string, placeholder: string): HTMLInputElement {
  return el('input', {
    class: 'input',
    attrs: {
      ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder },
      'aria-label': label,
    },
  });
}
