import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { endpointFace, toolsWords, windowWords, type EndpointFace } from '../facts/endpointFace.ts';
import type { EntryDetails } from '../fields/entryKind.ts';
import type { Form } from '../form.ts';

const MODELS_AT_MOST = 200;

/** How an endpoint stands: one line in the head of its card, and what it serves once it is unfolded. */
export class EndpointDetails implements EntryDetails {
  readonly summary = el('span', { class: 'summary' });
  readonly body = el('div', { class: 'live' });
  readonly #form: Form;
  readonly #name: string;
  #shownSummary = '';
  #shownBody = '';

  constructor(form: Form, name: string) {
    this.#form = form;
    this.#name = name;
  }

  show(isOpen: boolean): void {
    const { isLive } = this.#form.liveAge();
    const baseUrl = this.#form.effective(['endpoints', this.#name, 'base_url']);
    const face = endpointFace(this.#name, baseUrl, this.#form.live, isLive);
    this.#showSummary(face);
    if (isOpen) this.#showBody(face, isLive);
  }

  #showSummary({ icon: iconName, tone, word, parts }: EndpointFace): void {
    const signature = JSON.stringify([iconName, tone, word, parts]);
    if (signature === this.#shownSummary) return;
    this.#shownSummary = signature;
    this.summary.replaceChildren(
      el('span', { class: `state tone-${tone}` }, icon(iconName), ' ', word),
      el('span', { class: 'summary-parts', text: parts.join(' · '), title: parts.join(' · ') }),
    );
  }

  #showBody({ endpoint }: EndpointFace, isLive: boolean): void {
    const signature = JSON.stringify([endpoint?.probe, isLive]);
    if (signature === this.#shownBody) return;
    this.#shownBody = signature;
    this.body.hidden = endpoint === null;
    this.body.classList.toggle('is-old', !isLive);
    if (endpoint === null) return;
    const { probe } = endpoint;
    const isUp = probe.state === 'up';
    const slots = probe.slots;
    const facts = [
      isLive ? null : 'As it was when it was last asked.',
      isUp || probe.hint === '' ? null : probe.hint,
      slots === null
        ? null
        : `Slots: ${slots.busy === null ? '' : `${slots.busy} busy of `}${slots.total}.`,
      probe.load?.waiting ? `${probe.load.waiting} requests wait there.` : null,
      isUp ? `Answered in ${Math.round(probe.latency_ms)} ms.` : null,
    ].filter((text) => text !== null);
    this.body.replaceChildren(
      el('p', { class: 'live-fact', text: facts.join(' ') }),
      ...probe.warnings.map((text) => el('p', { class: 'live-fact', text })),
      ...(probe.models.length === 0 ? [] : [this.#models(probe.models)]),
    );
  }

  #models(models: EndpointModels): HTMLElement {
    const rest = models.length - MODELS_AT_MOST;
    return el(
      'div',
      { class: 'models-frame' },
      el(
        'table',
        { class: 'models' },
        el('caption', { class: 'visually-hidden', text: `Models of ${this.#name}` }),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...['model', 'window', 'tools', ''].map((text) =>
              text === '' ? el('td', {}) : el('th', { text, attrs: { scope: 'col' } }),
            ),
          ),
        ),
        el(
          'tbody',
          {},
          ...models.slice(0, MODELS_AT_MOST).map((model) =>
            el(
              'tr',
              {},
              el('th', { text: model.id, attrs: { scope: 'row' } }),
              el('td', { text: windowWords(model) || 'unknown' }),
              el('td', { text: toolsWords(model).replace('tools ', '') }),
              el('td', {
                class: 'model-note',
                text: [model.loaded === false ? 'not loaded' : null, model.warning]
                  .filter((text) => text !== null)
                  .join(' · '),
              }),
            ),
          ),
        ),
      ),
      rest > 0 ? el('p', { class: 'help', text: `and ${rest} more` }) : null,
    );
  }
}

type EndpointModels = NonNullable<EndpointFace['endpoint']>['probe']['models'];
