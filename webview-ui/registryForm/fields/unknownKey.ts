import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setHidden } from '../dom/setHidden.ts';
import { shortText } from '../facts/originWords.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import type { View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

/** A key of the file that this version does not know: shown, never dropped without being asked. */
export class UnknownKey implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #path: ConfigPath;
  readonly #value = el('code', { class: 'unknown-value' });
  readonly #remove: HTMLButtonElement;
  readonly #problems: ProblemList;

  constructor(form: Form, path: ConfigPath) {
    this.#form = form;
    this.#path = path;
    const id = pathId(path);
    const key = String(path.at(-1));
    this.#remove = iconButton('trash', `Remove ${key} from the file`, () =>
      form.edit(
        path,
        () => (form.value(path) === undefined ? [] : [{ kind: 'remove', path: [...path] }]),
        `${key} is removed from the file.`,
      ),
    );
    this.#remove.id = id;
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      focusAfter: () => this.#remove,
    });
    this.#remove.setAttribute('aria-describedby', `${id}-problems`);
    this.element = el(
      'div',
      { class: 'field is-set', attrs: { 'data-path': formatPath(path) } },
      el('div', { class: 'field-name' }, el('span', { class: 'key', text: key })),
      el(
        'div',
        { class: 'field-body' },
        el(
          'div',
          { class: 'field-line' },
          el('div', { class: 'control' }, this.#value),
          this.#remove,
        ),
        this.#problems.element,
      ),
    );
  }

  show(): void {
    this.#value.textContent = shortText(this.#form.value(this.#path)).slice(0, 200);
    setHidden(this.#remove, this.#form.isLocked);
    this.#problems.show(this.#form.problems.at(this.#path), this.#form.troubleAt(this.#path));
  }
}
