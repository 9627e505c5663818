import { MAX_RESUME_MESSAGE } from '../../../src/protocol/jobPanel/panelTerms.ts';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { el } from '../../dom/el.ts';
import { canResume } from '../facts/jobActions.ts';

interface ResumeOptions {
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly onResume: (message: string) => void;
}

/** Says more to a job that has ended: its session goes on, in its worktree. */
export class ResumePart {
  readonly element: HTMLElement;
  readonly #options: ResumeOptions;
  readonly #field = document.createElement('vscode-textarea');
  readonly #button = document.createElement('vscode-button');

  constructor(options: ResumeOptions) {
    this.#options = options;
    this.#field.id = 'resume-message';
    this.#field.label = 'Message to the session';
    this.#field.placeholder = 'Say what is still to be done';
    this.#field.rows = 2;
    this.#field.resize = 'vertical';
    this.#field.maxLength = MAX_RESUME_MESSAGE;
    this.#field.value = options.draft;
    this.#field.addEventListener('input', () => this.#onInput());
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#send();
    });
    this.#button.icon = 'debug-continue';
    this.#button.textContent = 'Resume';
    this.#button.setAttribute('data-action', 'resumeJob');
    this.#button.addEventListener('click', () => this.#send());
    this.element = el(
      'section',
      { class: 'resume', attrs: { 'aria-labelledby': 'resume-title' } },
      el('h2', { class: 'visually-hidden', text: 'Resume', attrs: { id: 'resume-title' } }),
      this.#field,
      this.#button,
    );
    this.element.hidden = true;
    this.#onInput();
  }

  show(job: JobRecord, isTrusted: boolean): void {
    this.element.hidden = !canResume(job);
    this.#field.disabled = !isTrusted;
    this.#isTrusted = isTrusted;
    this.#showButton();
  }

  #isTrusted = true;

  #onInput(): void {
    this.#options.onDraft(this.#field.value);
    this.#showButton();
  }

  #showButton(): void {
    const isEmpty = this.#field.value.trim() === '';
    this.#button.disabled = isEmpty || !this.#isTrusted;
    this.#button.title = this.#isTrusted
      ? 'The session goes on with this message (Ctrl+Enter)'
      : 'Not in Restricted Mode: trust this workspace first.';
  }

  #send(): void {
    const message = this.#field.value.trim();
    if (message === '' || !this.#isTrusted) return;
    this.#options.onResume(message);
  }
}
