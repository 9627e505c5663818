import { formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { setHidden } from '../dom/setHidden.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import { bindText } from './bindText.ts';
import { FieldDraft } from './fieldDraft.ts';
import type { Place, View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

/** One name of a map, with its text. */
export class MapRow implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #draft: FieldDraft;
  readonly #input: HTMLInputElement;
  readonly #remove: HTMLButtonElement;
  readonly #problems: ProblemList;

  constructor(
    form: Form,
    map: Place,
    name: string,
    whyNot: (text: string) => string | null,
    onRemoved: () => void,
  ) {
    this.#form = form;
    this.#place = {
      path: [...map.path, name],
      field: { key: name, kind: 'text', description: '' },
    };
    const { path } = this.#place;
    const id = pathId(path);
    this.#draft = new FieldDraft(form, this.#place, whyNot);
    this.#input = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', id },
        'aria-label': `${map.field.key}: ${name}`,
        'aria-describedby': `${id}-problems`,
      },
    });
    bindText(this.#input, this.#draft, () => this.show());
    this.#remove = iconButton('close', `Remove ${name}`, () => {
      form.drafts.drop(id);
      form.edit(
        map.path,
        () => (form.value(path) === undefined ? [] : [{ kind: 'remove', path: [...path] }]),
        `${name} is removed from ${map.field.key}.`,
        onRemoved,
      );
    });
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      onRetry: () => this.#draft.commit(true),
      onTakeBack: () => void this.#draft.takeBack(),
      focusAfter: () => this.#input,
    });
    this.element = el(
      'li',
      { attrs: { 'data-path': formatPath(path) } },
      el(
        'div',
        { class: 'map-row' },
        el('code', { class: 'map-name', text: name, title: name }),
        this.#input,
        this.#remove,
      ),
      this.#problems.element,
    );
  }

  show(): void {
    const { text } = this.#draft;
    if (this.#input.value !== text) this.#input.value = text;
    this.#input.readOnly = this.#form.isLocked;
    setHidden(this.#remove, this.#form.isLocked);
    const trouble = this.#form.troubleAt(this.#place.path);
    this.#problems.show(this.#form.problems.at(this.#place.path), trouble);
    setAttribute(this.#input, 'aria-invalid', trouble === '' ? null : 'true');
  }
}
