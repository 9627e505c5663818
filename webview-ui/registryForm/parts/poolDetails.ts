import { formatDuration } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import type { EntryDetails } from '../fields/entryKind.ts';
import type { Form } from '../form.ts';

/** More slots than this are a bar, not blocks. */
const BLOCKS_AT_MOST = 24;

/** How many places of a pool are taken, and who waits for one. */
export class PoolDetails implements EntryDetails {
  readonly summary = el('span', { class: 'summary pool' });
  readonly body = el('div', { class: 'live' });
  readonly #form: Form;
  readonly #name: string;
  #shown = '';

  constructor(form: Form, name: string) {
    this.#form = form;
    this.#name = name;
  }

  show(): void {
    const pool = this.#form.live.pools.find(({ name }) => name === this.#name);
    const { isLive } = this.#form.liveAge();
    const signature = JSON.stringify([pool, isLive]);
    if (signature === this.#shown) return;
    this.#shown = signature;
    this.summary.classList.toggle('is-old', !isLive);
    this.body.hidden = pool === undefined || pool.waiting.length === 0;
    if (pool === undefined) {
      this.summary.replaceChildren(el('span', { class: 'summary-parts', text: 'use not known' }));
      return;
    }
    const { slots, in_use: inUse, waiting } = pool;
    const waits = waiting.length === 0 ? '' : ` · ${waiting.length} waiting`;
    this.summary.replaceChildren(
      useBar(inUse, slots),
      el('span', {
        class: 'summary-parts',
        text: `${isLive ? '' : 'was '}${inUse}/${slots} in use${waits}`,
      }),
    );
    this.body.replaceChildren(
      ...waiting.map(({ job_id: job, position, waited_s: waitedS, reason }) =>
        el('p', {
          class: 'live-fact',
          text: `${position}. ${job} waits ${formatDuration(waitedS)}${reason ? `: ${reason.replaceAll('_', ' ')}` : ''}`,
        }),
      ),
    );
  }
}

function useBar(inUse: number, slots: number): HTMLElement {
  if (slots > BLOCKS_AT_MOST) {
    const bar = el('progress', { class: 'bar', attrs: { 'aria-hidden': 'true' } });
    bar.max = slots;
    bar.value = inUse;
    return bar;
  }
  return el(
    'span',
    { class: 'blocks', attrs: { 'aria-hidden': 'true' } },
    ...Array.from({ length: slots }, (_, n) => el('span', { class: n < inUse ? 'taken' : 'free' })),
  );
}
