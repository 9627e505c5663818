import type { ConfigPath } from '../../../src/config/configPath.ts';
import type { FormField } from '../../../src/protocol/modelsLanguage/formState.ts';
import { el } from '../../dom/el.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { groupOf } from '../facts/group.ts';
import type { Form } from '../form.ts';
import type { View } from './fieldView.ts';
import { makeField } from './makeField.ts';
import { UnknownKey } from './unknownKey.ts';

/** The keys of a group, and what else stands in it that nobody knows. */
export class GroupFields implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #path: ConfigPath;
  readonly #known: ReadonlySet<string>;
  readonly #views: readonly View[];
  readonly #unknown: KeyedList<UnknownKey>;

  constructor(form: Form, path: ConfigPath, fields: readonly FormField[]) {
    this.#form = form;
    this.#path = path;
    this.#known = new Set(fields.map(({ key }) => key));
    this.#views = fields.map((field) => makeField(form, { path: [...path, field.key], field }));
    const unknown = el('div', {});
    this.#unknown = new KeyedList(unknown, (key) => new UnknownKey(form, [...path, key]));
    this.element = el(
      'div',
      { class: 'fields' },
      ...this.#views.map(({ element }) => element),
      unknown,
    );
  }

  show(): void {
    for (const view of this.#views) view.show();
    const own = groupOf(this.#form.value(this.#path)) ?? {};
    this.#unknown.show(Object.keys(own).filter((key) => !this.#known.has(key)));
  }
}
