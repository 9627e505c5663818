import { formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { setHidden } from '../dom/setHidden.ts';
import { groupOf } from '../facts/group.ts';
import { knownModels } from '../facts/knownModels.ts';
import { pathId } from '../facts/pathId.ts';
import { setEdit, type Form } from '../form.ts';
import { ChainCard } from './chainCard.ts';
import type { Place, View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

/** Who stands in for whom: one ordered list for each model. */
export class ChainsField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #chains: KeyedList<ChainCard>;
  readonly #input: HTMLInputElement;
  readonly #models: HTMLElement;
  readonly #addRow: HTMLElement;
  readonly #wrong = el('p', { class: 'wrong', attrs: { role: 'alert' } });
  readonly #problems: ProblemList;
  #shownModels = '';

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const id = pathId(place.path);
    this.#models = el('datalist', { attrs: { id: `${id}-models` } });
    const list = el('ul', {
      class: 'cards',
      attrs: { role: 'list', 'aria-label': place.field.key },
    });
    this.#chains = new KeyedList(
      list,
      (name) =>
        new ChainCard(form, [...place.path, name], {
          modelsId: this.#models.id,
          onRemoved: () => this.#input.focus(),
          isTaken: (to) => Object.hasOwn(groupOf(form.value(place.path)) ?? {}, to),
        }),
    );
    this.#input = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', id },
        ...{ placeholder: 'model that is asked for', list: this.#models.id },
        'aria-label': 'Model of a new chain',
      },
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      this.#add();
    });
    this.#addRow = el(
      'div',
      { class: 'add-row' },
      this.#input,
      el('button', {
        class: 'small-button',
        text: 'Add chain',
        attrs: { type: 'button' },
        onClick: () => this.#add(),
      }),
    );
    this.#wrong.hidden = true;
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      focusAfter: () => this.#input,
    });
    this.element = el(
      'div',
      { class: 'chains', attrs: { 'data-path': formatPath(place.path) } },
      el('h3', { class: 'key', text: place.field.key }),
      el('p', { class: 'help', text: place.field.description }),
      this.#problems.element,
      list,
      this.#addRow,
      this.#wrong,
      this.#models,
    );
  }

  show(): void {
    const { path } = this.#place;
    this.#showModels();
    this.#problems.show(this.#form.problems.at(path), this.#form.troubleAt(path));
    this.#chains.show(Object.keys(groupOf(this.#form.value(path)) ?? {}));
    setHidden(this.#addRow, this.#form.isLocked);
  }

  #showModels(): void {
    const models = knownModels(this.#form.state.values, this.#form.live).slice(0, 500);
    const signature = JSON.stringify(models);
    if (signature === this.#shownModels) return;
    this.#shownModels = signature;
    this.#models.replaceChildren(
      ...models.map((model) => {
        const option = el('option');
        option.value = model;
        return option;
      }),
    );
  }

  #add(): void {
    const name = this.#input.value.trim();
    const { path } = this.#place;
    const isThere = Object.hasOwn(groupOf(this.#form.value(path)) ?? {}, name);
    setHidden(this.#wrong, name !== '' && !isThere);
    this.#wrong.textContent =
      name === '' ? 'Type the model that is asked for first.' : `${name} has a chain already.`;
    if (!this.#wrong.hidden) return;
    this.#form.edit(
      path,
      () =>
        this.#form.value([...path, name]) === undefined ? [setEdit([...path, name], [])] : null,
      `A chain for ${name} is added.`,
      () => {
        this.#input.value = '';
        this.#chains.get(name)?.focusAdd();
      },
    );
  }
}
