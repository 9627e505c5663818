import type { JobRecord } from '../../../src/protocol/job.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { card } from './card.ts';

/** The model's last words. They are a claim, and stand below what was checked. */
export class ReportPart {
  readonly element: HTMLElement;
  readonly #text = el('pre', { class: 'report-text' });
  readonly #cut = el('p', { class: 'summary' });

  constructor() {
    this.element = card('report', 'The model’s report', this.#text, this.#cut);
    this.element.hidden = true;
  }

  show({ result, resultTruncated, resultBytes }: JobRecord): void {
    this.element.hidden = result === null || result.trim() === '';
    setText(this.#text, result?.trim() ?? '');
    this.#cut.hidden = !resultTruncated;
    setText(this.#cut, `Cut; ${resultBytes ?? 'more'} bytes in all.`);
  }
}
