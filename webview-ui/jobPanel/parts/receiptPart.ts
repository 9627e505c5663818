import type { JobRecord } from '../../../src/protocol/job.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { receiptFacts } from '../facts/receiptFacts.ts';
import { absoluteTime, relativeTime } from '../../facts/relativeTime.ts';
import { card } from './card.ts';

/** The receipt: what was asked and what answered, where, with what proof, at what cost. */
export class ReceiptPart {
  readonly element: HTMLElement;
  readonly #list = el('dl', { class: 'facts' });
  readonly #values = new Map<string, HTMLElement>();

  constructor() {
    this.element = card('receipt', 'Receipt', this.#list);
  }

  show(job: JobRecord): void {
    const facts = receiptFacts(job);
    const names = facts.map(({ name }) => name);
    if (names.join('\n') !== [...this.#values.keys()].join('\n')) this.#layOut(names);
    for (const { name, value, at, isCode } of facts) {
      const element = this.#values.get(name);
      if (element === undefined) continue;
      element.classList.toggle('code', isCode === true);
      setText(element, at === undefined ? value : relativeTime(at, Date.now()));
      element.title = at === undefined ? '' : absoluteTime(at);
    }
  }

  #layOut(names: readonly string[]): void {
    this.#values.clear();
    this.#list.replaceChildren(
      ...names.map((name) => {
        const value = el('dd');
        this.#values.set(name, value);
        return el('div', { class: 'fact' }, el('dt', { text: name }), value);
      }),
    );
  }
}
