import type { FormMessage, Tried } from '../../../src/protocol/registryForm/formMessages.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { actionButton, setWhyOff } from '../dom/actionButton.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setHidden } from '../dom/setHidden.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';
import { FoundCard } from './foundCard.ts';
import { SecretSelect } from './secretSelect.ts';

type Told = Extract<FormMessage, { type: 'told' }>;

/** Finds an endpoint (the usual ports, or an address) and writes the smallest entry for it. Closing it is all that cancelling takes. */
export class RegisterPart implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #onClose: () => void;
  readonly #scan;
  readonly #ask;
  readonly #address: HTMLInputElement;
  readonly #secret: SecretSelect;
  readonly #words = el('span', {});
  readonly #spin = icon('loading');
  readonly #status: HTMLElement;
  readonly #found = el('ul', { class: 'found-list', attrs: { role: 'list' } });
  #cards: FoundCard[] = [];
  /** What is being asked: `scan`, or an address; null: nothing. An answer to anything else comes too late. */
  #asking: string | null = null;
  #adding: { readonly name: string; readonly card: FoundCard } | null = null;
  #isOpen = false;
  #lastId = 0;

  constructor(form: Form, onClose: () => void) {
    this.#form = form;
    this.#onClose = onClose;
    this.#scan = actionButton('Scan the usual ports', {
      icon: 'search',
      onClick: () => this.#onScan(),
    });
    this.#ask = actionButton('Ask', { onClick: () => this.#onAsk() });
    this.#address = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'url', spellcheck: 'false', autocomplete: 'off', id: 'register-address' },
        ...{ placeholder: 'http://127.0.0.1:8080', 'aria-describedby': 'register-status' },
      },
    });
    this.#address.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      this.#onAsk();
    });
    this.#secret = new SecretSelect(form, 'Key to ask with', () => this.show());
    this.#status = el(
      'p',
      { class: 'register-status', attrs: { id: 'register-status', role: 'status' } },
      this.#spin,
      this.#words,
    );
    this.element = el(
      'section',
      { class: 'register', attrs: { 'aria-labelledby': 'register-title' } },
      el(
        'div',
        { class: 'register-head' },
        el('h3', { text: 'Register an endpoint', attrs: { id: 'register-title' } }),
        iconButton('close', 'Close', () => this.close()),
      ),
      el(
        'div',
        { class: 'register-ask' },
        this.#scan,
        el('span', { class: 'or', text: 'or' }),
        el('label', { text: 'Address', attrs: { for: 'register-address' } }),
        this.#address,
        this.#secret.element,
        this.#ask,
      ),
      this.#status,
      this.#found,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    });
    this.element.hidden = true;
    this.#tell('', false);
  }

  open(): void {
    this.#isOpen = true;
    this.show();
    this.element.scrollIntoView({ block: 'nearest' });
    this.#scan.focus();
  }

  close(): void {
    this.#isOpen = false;
    this.#asking = null;
    this.#setFound([], '');
    this.#tell('', false);
    this.show();
    this.#onClose();
  }

  show(): void {
    this.element.hidden = !this.#isOpen;
    if (!this.#isOpen) return;
    const why = this.#form.whyNoActions;
    setWhyOff(this.#scan, why ?? (this.#asking === 'scan' ? 'The ports are being asked.' : null));
    setWhyOff(this.#ask, why);
    this.#address.disabled = why !== null;
    this.#secret.show();
    for (const card of this.#cards) card.show();
  }

  onScanned(asked: readonly string[], found: readonly Tried[]): void {
    if (this.#asking !== 'scan') return;
    this.#asking = null;
    this.#setFound(found, '');
    this.#tell(
      found.length === 0
        ? `Nothing answered at the ${asked.length} usual ports of this machine. Start a server, or type its address.`
        : `${found.length} of ${asked.length} addresses answered.`,
      false,
    );
  }

  onTried(baseUrl: string, tried: Tried): void {
    if (this.#asking !== baseUrl) return;
    this.#asking = null;
    this.#setFound([tried], this.#secret.chosen);
    this.#tell(
      tried.probe.state === 'up' ? 'It answered.' : 'It does not answer as a model server.',
      tried.probe.state !== 'up',
    );
    this.#cards[0]?.focus();
  }

  onTold({ about, isError, message, hint }: Told): void {
    if (about === 'register' && this.#adding !== null) {
      const { name, card } = this.#adding;
      this.#adding = null;
      card.setAdding(false);
      if (!isError) {
        this.close();
        this.#form.say(message);
        this.#form.revealWhenThere(['endpoints', name]);
        return;
      }
    } else if ((about === 'scan') !== (this.#asking === 'scan') || this.#asking === null) return;
    this.#asking = null;
    this.#tell([message, hint].filter((text) => text !== '').join(' '), isError);
    this.show();
  }

  #onScan(): void {
    if (this.#asking === 'scan') return;
    this.#asking = 'scan';
    this.#setFound([], '');
    this.#tell('Asking the usual ports of this machine…', false);
    this.#form.post({ type: 'scan' });
    this.show();
  }

  #onAsk(address = this.#address.value.trim()): void {
    if (address === '') {
      this.#tell('Type an address, such as http://127.0.0.1:8080.', true);
      this.#address.focus();
      return;
    }
    this.#asking = address;
    const secret = this.#secret.chosen;
    this.#tell(`Asking ${address}, with one request that calls a tool…`, false);
    this.#form.post({
      type: 'try',
      baseUrl: address,
      ...(secret === '' ? {} : { secret }),
    });
    this.show();
  }

  #setFound(found: readonly Tried[], secret: string): void {
    const firstNew = found.findIndex(({ registeredAs }) => registeredAs === null);
    this.#cards = found.map((tried, n) => {
      this.#lastId += 1;
      const card: FoundCard = new FoundCard(this.#form, {
        tried,
        secret,
        isOpen: n === firstNew || found.length === 1,
        onTry: () => this.#onAsk(tried.baseUrl),
        onAdd: (name, keepOutOfGit) => {
          this.#adding = { name, card };
          this.#form.post({
            type: 'register',
            ...{ baseUrl: tried.baseUrl, name, keepOutOfGit },
            ...(secret === '' ? {} : { secret }),
          });
        },
        id: `found-${this.#lastId}`,
      });
      return card;
    });
    this.#found.replaceChildren(...this.#cards.map(({ element }) => element));
  }

  #tell(text: string, isError: boolean): void {
    setText(this.#words, text);
    setHidden(this.#spin, this.#asking === null);
    this.#status.classList.toggle('tone-bad', isError);
    setHidden(this.#status, text === '');
  }
}
