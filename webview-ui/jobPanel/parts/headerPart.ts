import { briefLine } from '../../../src/protocol/briefLine.ts';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { jobFace } from '../../../src/protocol/jobPanel/jobFace.ts';
import type { PanelAction } from '../../../src/protocol/jobPanel/panelActions.ts';
import { statusLine } from '../../../src/protocol/statusLine.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { jobActions } from '../facts/jobActions.ts';

interface HeaderOptions {
  readonly onAct: (action: PanelAction) => void;
  readonly onOpenJob: (jobId: string) => void;
}

/** The top: what the job is for, how it stands, and what can be done about it. */
export class HeaderPart {
  readonly element: HTMLElement;
  readonly #options: HeaderOptions;
  readonly #icon = el('span', { class: 'state-icon' });
  readonly #title = el('h1', { text: 'Job' });
  readonly #words = el('span', { class: 'state-words' });
  readonly #line = el('p', { class: 'state-line' });
  readonly #brief = el('pre', { class: 'brief' });
  readonly #briefFrame: HTMLDetailsElement;
  readonly #from = el('p', { class: 'from' });
  readonly #buttons = el('div', {
    class: 'buttons',
    attrs: { role: 'toolbar', 'aria-label': 'What can be done' },
  });
  readonly #restricted = el('p', {
    class: 'restricted',
    text: 'Restricted Mode: the job is shown, but nothing is run, decided or changed until you trust this workspace.',
  });
  #shownButtons = '';
  #shownIcon = '';

  constructor(options: HeaderOptions) {
    this.#options = options;
    this.#briefFrame = el(
      'details',
      { class: 'brief-frame' },
      el('summary', { text: 'Whole brief' }),
      this.#brief,
    );
    this.#restricted.hidden = true;
    this.#from.hidden = true;
    this.#briefFrame.hidden = true;
    this.element = el(
      'header',
      { class: 'top' },
      el('div', { class: 'title' }, this.#icon, this.#title),
      el('div', { class: 'state' }, this.#words, this.#line),
      this.#from,
      this.#briefFrame,
      this.#buttons,
      this.#restricted,
    );
  }

  show(job: JobRecord, queuePosition: number | null, isTrusted: boolean): void {
    const face = jobFace(job);
    if (this.#shownIcon !== `${face.icon} ${face.tone}`) {
      this.#shownIcon = `${face.icon} ${face.tone}`;
      this.#icon.replaceChildren(icon(face.icon, `tone-${face.tone}`));
      this.#words.className = `state-words tone-${face.tone}`;
    }
    setText(this.#words, face.words);
    setText(this.#title, briefLine(job.task, 300) || job.id);
    document.title = this.#title.textContent;
    this.tick(job, queuePosition);
    const isLong = job.task.trim().includes('\n') || job.task.length > 300;
    this.#briefFrame.hidden = !isLong;
    setText(this.#brief, job.task.trim());
    this.#showOrigin(job.resumedFrom);
    this.#restricted.hidden = isTrusted;
    this.#showButtons(job, isTrusted);
  }

  /** What changes with the clock alone. */
  tick(job: JobRecord, queuePosition: number | null): void {
    setText(this.#line, statusLine(job, new Date(), queuePosition));
  }

  #showOrigin(jobId: string | null): void {
    this.#from.hidden = jobId === null;
    if (jobId === null || this.#from.dataset['jobId'] === jobId) return;
    this.#from.dataset['jobId'] = jobId;
    this.#from.replaceChildren(
      'Goes on from ',
      el('button', {
        class: 'link',
        text: jobId,
        attrs: { type: 'button' },
        onClick: () => this.#options.onOpenJob(jobId),
      }),
    );
  }

  #showButtons(job: JobRecord, isTrusted: boolean): void {
    const actions = jobActions(job, isTrusted);
    const signature = JSON.stringify(actions);
    if (signature === this.#shownButtons) return;
    this.#shownButtons = signature;
    const focused = document.activeElement?.getAttribute('data-action');
    const buttons = actions.map(({ action, label, icon: iconName, isPrimary, whyOff }) => {
      const button = el(
        'vscode-button',
        {
          ...(whyOff === null ? {} : { title: whyOff }),
          attrs: { 'data-action': action, icon: iconName },
          onClick: () => {
            if (whyOff === null) this.#options.onAct(action);
          },
        },
        label,
      );
      button.secondary = !isPrimary;
      button.disabled = whyOff !== null;
      return button;
    });
    this.#buttons.replaceChildren(...buttons);
    // The state has changed under the reader's finger: the focus stays near.
    if (focused)
      (buttons.find((each) => each.dataset['action'] === focused) ?? buttons[0])?.focus();
  }
}
