import { formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { originOf } from '../facts/originWords.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import type { Place } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

interface FieldFrameOptions {
  /** The elements that enter the value: they are told what the frame says about it. */
  readonly controls: readonly HTMLElement[];
  /** Several controls that are one field: a group with the key as its name. */
  readonly isGroup?: boolean;
  readonly onRetry?: () => void;
  readonly onTakeBack?: () => void;
}

/** What every field has around its control: the key, what it is for, what counts without it, its problems, and a way back. */
export class FieldFrame {
  readonly element: HTMLElement;
  readonly id: string;
  readonly #form: Form;
  readonly #place: Place;
  readonly #controls: readonly HTMLElement[];
  readonly #reset: HTMLButtonElement;
  readonly #origin = el('span', { class: 'origin' });
  readonly #problems: ProblemList;

  constructor(form: Form, place: Place, options: FieldFrameOptions) {
    this.#form = form;
    this.#place = place;
    this.#controls = options.controls;
    this.id = pathId(place.path);
    const { id } = this;
    const { key, description } = place.field;
    const control = el('div', { class: 'control' }, ...options.controls);
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      ...(options.onRetry === undefined ? {} : { onRetry: options.onRetry }),
      ...(options.onTakeBack === undefined ? {} : { onTakeBack: options.onTakeBack }),
      focusAfter: () => options.controls[0] ?? null,
    });
    this.#reset = iconButton('discard', `Remove ${key} from the file`, () => this.#onReset());
    this.#origin.id = `${id}-origin`;
    const name =
      options.isGroup === true
        ? el('span', { class: 'key', text: key, attrs: { id: `${id}-name` } })
        : el('label', { class: 'key', text: key, attrs: { for: id, id: `${id}-name` } });
    this.element = el(
      'div',
      { class: 'field', attrs: { 'data-path': formatPath(place.path) } },
      el('div', { class: 'field-name' }, name),
      el(
        'div',
        { class: 'field-body' },
        el('div', { class: 'field-line' }, control, this.#reset),
        this.#problems.element,
        el(
          'p',
          { class: 'help', attrs: { id: `${id}-help` } },
          description,
          description === '' ? null : ' ',
          this.#origin,
        ),
      ),
    );
    const described = `${id}-problems ${id}-help`;
    if (options.isGroup === true) {
      for (const [attribute, value] of [
        ['role', 'group'],
        ['aria-labelledby', `${id}-name`],
        ['aria-describedby', described],
      ] as const)
        control.setAttribute(attribute, value);
    } else {
      const [main] = options.controls;
      if (main !== undefined) {
        main.id = id;
        main.setAttribute('aria-describedby', described);
      }
    }
  }

  show(): void {
    const { path, field } = this.#place;
    const isSet = this.#form.value(path) !== undefined;
    const origin = originOf(field, this.#form.inherited(path), this.#form.state.role);
    setText(this.#origin, origin.words === '' ? '' : isSet ? `Without it: ${origin.words}.` : '');
    this.element.classList.toggle('is-set', isSet);
    this.#reset.classList.toggle('is-away', !isSet || this.#form.isLocked);
    setAttribute(this.#reset, 'aria-hidden', isSet ? null : 'true');
    setAttribute(this.#reset, 'tabindex', isSet && !this.#form.isLocked ? null : '-1');
    const problems = this.#form.problems.at(path);
    const trouble = this.#form.troubleAt(path);
    this.#problems.show(problems, trouble);
    const isInvalid = trouble !== '' || problems.some(({ severity }) => severity === 'error');
    for (const control of this.#controls)
      setAttribute(control, 'aria-invalid', isInvalid ? 'true' : null);
  }

  #onReset(): void {
    const { path, field } = this.#place;
    this.#form.drafts.drop(this.id);
    this.#form.edit(
      path,
      () => (this.#form.value(path) === undefined ? [] : [{ kind: 'remove', path: [...path] }]),
      `${field.key} is removed from the file.`,
      () => this.#controls[0]?.focus(),
    );
  }
}
