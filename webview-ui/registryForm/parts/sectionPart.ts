import { formatPath } from '../../../src/config/configPath.ts';
import type { FormField } from '../../../src/protocol/modelsLanguage/formState.ts';
import { el } from '../../dom/el.ts';
import { pathId } from '../facts/pathId.ts';
import type { Section } from '../facts/sections.ts';
import type { View } from '../fields/fieldView.ts';
import { GroupFields } from '../fields/groupFields.ts';
import { makeField } from '../fields/makeField.ts';
import { ProblemList } from '../fields/problemList.ts';
import type { Form } from '../form.ts';

/** One page of the form. `before` and `after` are what a section has beside its keys. */
export class SectionPart implements View {
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly #views: readonly View[];

  constructor(
    form: Form,
    section: Section,
    before: readonly View[] = [],
    after: readonly View[] = [],
  ) {
    this.title = el('h2', { text: section.title, attrs: { tabindex: '-1', id: 'section-title' } });
    const fields = section.fields.map((field) => fieldView(form, field, section.fields.length > 1));
    this.#views = [...before, ...fields, ...after];
    this.element = el(
      'div',
      { class: `section section-${section.id}` },
      el(
        'div',
        { class: 'section-head' },
        this.title,
        section.isInactive
          ? el('span', { class: 'badge', text: 'not active in this version' })
          : null,
      ),
      ...section.fields
        .filter(
          ({ kind }) => section.fields.length === 1 && (kind === 'group' || kind === 'entries'),
        )
        .map(({ description }) => el('p', { class: 'help', text: description })),
      ...this.#views.map(({ element }) => element),
    );
  }

  show(): void {
    for (const view of this.#views) view.show();
  }
}

/** A group is not folded at the top: its keys are the page. */
function fieldView(form: Form, field: FormField, isTitled: boolean): View {
  const path = [field.key];
  if (field.kind !== 'group') return makeField(form, { path, field });
  const id = pathId(path);
  const fields = new GroupFields(form, path, field.fields ?? []);
  const title = el('h3', { class: 'key', text: field.key, attrs: { id, tabindex: '-1' } });
  const problems = new ProblemList(form, { id: `${id}-problems`, focusAfter: () => title });
  return {
    element: el(
      'div',
      { class: 'top-group', attrs: { 'data-path': formatPath(path) } },
      ...(isTitled ? [title, el('p', { class: 'help', text: field.description })] : []),
      problems.element,
      fields.element,
    ),
    show: () => {
      problems.show(form.problems.at(path), form.troubleAt(path));
      fields.show();
    },
  };
}
