import { formatPath } from '../../../src/config/configPath.ts';
import { problemText } from '../../../src/config/problemText.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';

const AT_MOST = 100;

/** All problems of the file; each leads to its key. Where nothing can be edited by keys it stays open. */
export class ProblemsPanel implements View {
  readonly element = el('div', { class: 'all-problems', attrs: { id: 'all-problems' } });
  readonly #form: Form;
  readonly #onClose: () => void;
  #isWanted = false;
  #shown = '';

  constructor(form: Form, onClose: () => void) {
    this.#form = form;
    this.#onClose = onClose;
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#isWanted) return;
      event.stopPropagation();
      this.toggle();
      this.#onClose();
    });
  }

  get isShown(): boolean {
    const { isEditable, problems } = this.#form.state;
    return problems.length > 0 && (this.#isWanted || !isEditable);
  }

  toggle(): void {
    this.#isWanted = !this.#isWanted;
    this.#form.redraw();
    if (this.isShown) this.element.querySelector('button')?.focus();
  }

  show(): void {
    this.element.hidden = !this.isShown;
    if (!this.isShown) return;
    const { isEditable } = this.#form.state;
    const problems = this.#form.problems.all;
    const signature = JSON.stringify([problems, isEditable]);
    if (signature === this.#shown) return;
    this.#shown = signature;
    const rows = problems.slice(0, AT_MOST).map((problem) => {
      const isError = problem.severity === 'error';
      const place = problem.line === 0 ? '' : `line ${problem.line}`;
      return el(
        'li',
        {},
        el(
          'button',
          {
            class: 'problem-row',
            attrs: { type: 'button' },
            onClick: () => {
              if (!isEditable) this.#form.post({ type: 'openYaml', path: [...problem.path] });
              else this.#form.reveal(problem.shownAt);
            },
          },
          icon(isError ? 'error' : 'warning', isError ? 'tone-bad' : 'tone-attention'),
          el('span', { class: 'problem-text', text: problemText(problem) }),
          el('span', {
            class: 'problem-place',
            text: [formatPath(problem.path), place].filter((text) => text !== '').join(', '),
          }),
        ),
      );
    });
    const rest = problems.length - rows.length;
    this.element.replaceChildren(
      el('ul', { attrs: { role: 'list', 'aria-label': 'Problems of the file' } }, ...rows),
      ...(rest > 0 ? [el('p', { class: 'help', text: `and ${rest} more` })] : []),
    );
  }
}
