import { formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { setHidden } from '../dom/setHidden.ts';
import { countWords } from '../facts/countWords.ts';
import { groupOf } from '../facts/group.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import type { Place, View } from './fieldView.ts';
import { GroupFields } from './groupFields.ts';
import { ProblemList } from './problemList.ts';

/** Keys that belong together, folded: what is inside is made when it is first unfolded. */
export class GroupFold implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #button: HTMLButtonElement;
  readonly #said = el('span', { class: 'fold-said' });
  readonly #count = el('span', { class: 'count' });
  readonly #body: HTMLElement;
  readonly #problems: ProblemList;
  #fields: GroupFields | null = null;

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const id = pathId(place.path);
    const { key, description, isInactive } = place.field;
    this.#body = el('div', { class: 'fold-body', attrs: { id: `${id}-body` } });
    this.#button = el(
      'button',
      {
        class: 'fold',
        attrs: { type: 'button', id, 'aria-controls': `${id}-body` },
        onClick: () => form.setOpen(place.path, !form.isOpen(place.path)),
      },
      icon('chevron-right', 'twist'),
      el('span', { class: 'key', text: key }),
      isInactive === true ? el('span', { class: 'badge', text: 'not active' }) : null,
      this.#said,
      this.#count,
    );
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      focusAfter: () => this.#button,
    });
    this.element = el(
      'div',
      { class: 'group', attrs: { 'data-path': formatPath(place.path) } },
      this.#button,
      el('p', { class: 'help', text: description }),
      this.#problems.element,
      this.#body,
    );
  }

  show(): void {
    const { path, field } = this.#place;
    const isOpen = this.#form.isOpen(path);
    const said = Object.keys(groupOf(this.#form.value(path)) ?? {});
    setText(this.#said, said.join(', '));
    const problems = this.#form.problems.under(path);
    setText(this.#count, countWords(problems));
    this.#count.classList.toggle('has-errors', problems.errors > 0);
    setAttribute(this.#button, 'aria-expanded', String(isOpen));
    setHidden(this.#body, !isOpen);
    this.#problems.show(this.#form.problems.at(path), this.#form.troubleAt(path));
    if (!isOpen) return;
    if (this.#fields === null) {
      this.#fields = new GroupFields(this.#form, path, field.fields ?? []);
      this.#body.append(this.#fields.element);
    }
    this.#fields.show();
  }
}
