import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { countWords } from '../facts/countWords.ts';
import type { Section } from '../facts/sections.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';

interface NavOptions {
  readonly sections: readonly Section[];
  readonly chosen: () => string;
  readonly onChoose: (id: string) => void;
}

/** The sections with how many problems each has; a box to choose from where the window is narrow. */
export class NavPart implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #options: NavOptions;
  readonly #rows: readonly {
    readonly section: Section;
    readonly button: HTMLButtonElement;
    readonly count: HTMLElement;
    readonly spoken: HTMLElement;
    readonly option: HTMLOptionElement;
  }[];
  readonly #select = el('select', { class: 'input', attrs: { 'aria-label': 'Section' } });

  constructor(form: Form, options: NavOptions) {
    this.#form = form;
    this.#options = options;
    this.#rows = options.sections.map((section) => {
      const count = el('span', { class: 'nav-count', attrs: { 'aria-hidden': 'true' } });
      const spoken = el('span', { class: 'visually-hidden' });
      const button = el(
        'button',
        {
          class: section.isInactive ? 'nav-row is-inactive' : 'nav-row',
          attrs: { type: 'button', 'data-section': section.id },
          ...(section.isInactive ? { title: 'Not active in this version' } : {}),
          onClick: () => options.onChoose(section.id),
        },
        el('span', { class: 'nav-title', text: section.title }),
        section.isInactive ? el('span', { class: 'nav-note', text: 'not active' }) : null,
        count,
        spoken,
      );
      const option = el('option');
      option.value = section.id;
      return { section, button, count, spoken, option };
    });
    this.#select.append(...this.#rows.map(({ option }) => option));
    this.#select.addEventListener('change', () => options.onChoose(this.#select.value));
    const list = el(
      'ul',
      { class: 'nav-list', attrs: { role: 'list' } },
      ...this.#rows.map(({ button }) => el('li', {}, button)),
    );
    list.addEventListener('keydown', (event) => this.#onKey(event));
    this.element = el(
      'nav',
      { class: 'nav', attrs: { 'aria-label': 'Sections' } },
      list,
      el('div', { class: 'nav-select' }, this.#select),
    );
  }

  show(): void {
    const chosen = this.#options.chosen();
    for (const { section, button, count, spoken, option } of this.#rows) {
      const counts = section.fields.map(({ key }) => this.#form.problems.under([key]));
      const errors = counts.reduce((sum, each) => sum + each.errors, 0);
      const warnings = counts.reduce((sum, each) => sum + each.warnings, 0);
      const words = countWords({ errors, warnings });
      setText(count, errors + warnings === 0 ? '' : String(errors + warnings));
      count.classList.toggle('has-errors', errors > 0);
      setText(spoken, words === '' ? '' : `, ${words}`);
      setText(
        option,
        `${section.title}${section.isInactive ? ' (not active)' : ''}${words === '' ? '' : ` · ${words}`}`,
      );
      setAttribute(button, 'aria-current', section.id === chosen ? 'page' : null);
    }
    if (this.#select.value !== chosen) this.#select.value = chosen;
  }

  #onKey(event: KeyboardEvent): void {
    const buttons = this.#rows.map(({ button }) => button);
    const now = buttons.findIndex((button) => button === document.activeElement);
    const place = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (now < 0 || place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, place))]?.focus();
  }
}
