import { problemText } from '../../../src/config/problemText.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import type { PlacedProblem } from '../facts/problemPlaces.ts';
import type { Form } from '../form.ts';

interface ProblemListOptions {
  readonly id: string;
  /** What was typed and is not in the file: try again, or take it back. */
  readonly onRetry?: () => void;
  readonly onTakeBack?: () => void;
  /** Gets the focus when what had it here is gone. */
  readonly focusAfter: () => HTMLElement | null;
}

/** What is wrong with a key, in words, each with its quick fixes. */
export class ProblemList {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #options: ProblemListOptions;
  #shown = '';

  constructor(form: Form, options: ProblemListOptions) {
    this.#form = form;
    this.#options = options;
    this.element = el('div', { class: 'problems', attrs: { id: options.id } });
    this.element.hidden = true;
  }

  show(problems: readonly PlacedProblem[], trouble: string): void {
    const signature =
      problems.length === 0 && trouble === ''
        ? ''
        : JSON.stringify([problems, trouble, this.#form.isLocked]);
    if (signature === this.#shown) return;
    this.#shown = signature;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = signature === '';
    this.element.replaceChildren(
      ...(trouble === '' ? [] : [this.#trouble(trouble)]),
      ...problems.map((problem) => this.#problem(problem)),
    );
    if (hadFocus) this.#options.focusAfter()?.focus();
  }

  #trouble(text: string): HTMLElement {
    const { onRetry, onTakeBack } = this.#options;
    return el(
      'div',
      { class: 'problem tone-attention' },
      icon('history'),
      el('span', { class: 'problem-text', text }),
      el(
        'span',
        { class: 'fixes' },
        onRetry === undefined ? null : linkButton('Try again', onRetry),
        onTakeBack === undefined ? null : linkButton('Take back', onTakeBack),
      ),
    );
  }

  #problem(problem: PlacedProblem): HTMLElement {
    const { severity, fixes, index } = problem;
    const isError = severity === 'error';
    return el(
      'div',
      { class: `problem ${isError ? 'tone-bad' : 'tone-attention'}` },
      icon(isError ? 'error' : 'warning'),
      el('span', { class: 'visually-hidden', text: isError ? 'Error: ' : 'Warning: ' }),
      el('span', { class: 'problem-text', text: problemText(problem) }),
      this.#form.isLocked
        ? null
        : el(
            'span',
            { class: 'fixes' },
            ...fixes.map((title, fix) => linkButton(title, () => this.#form.fix(index, fix))),
          ),
    );
  }
}

function linkButton(text: string, onClick: () => void): HTMLElement {
  return el('button', { class: 'link', text, attrs: { type: 'button' }, onClick });
}
