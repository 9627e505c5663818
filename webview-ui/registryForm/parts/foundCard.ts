import type { Tried } from '../../../src/protocol/registryForm/formMessages.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { actionButton, setWhyOff } from '../dom/actionButton.ts';
import { setHidden } from '../dom/setHidden.ts';
import { backendWords } from '../facts/endpointFace.ts';
import { entryYaml } from '../facts/entryYaml.ts';
import { foundFacts } from '../facts/foundFacts.ts';
import { groupOf } from '../facts/group.ts';
import type { Form } from '../form.ts';

interface FoundCardOptions {
  readonly tried: Tried;
  /** Name of the kept secret that it was asked with; empty: none. */
  readonly secret: string;
  readonly isOpen: boolean;
  readonly onTry: () => void;
  readonly onAdd: (name: string, keepOutOfGit: boolean) => void;
  readonly id: string;
}

/** What answered at one address, and the entry that would be written for it. */
export class FoundCard {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #options: FoundCardOptions;
  readonly #name: HTMLInputElement;
  readonly #outOfGit = el('input', { class: 'checkbox', attrs: { type: 'checkbox' } });
  readonly #preview = el('pre', {
    class: 'preview',
    attrs: { tabindex: '0', 'aria-label': 'What is written' },
  });
  readonly #wrong: HTMLElement;
  readonly #add;
  #isAdding = false;

  constructor(form: Form, options: FoundCardOptions) {
    this.#form = form;
    this.#options = options;
    const { tried, id } = options;
    this.#wrong = el('p', { class: 'wrong', attrs: { id: `${id}-wrong`, role: 'alert' } });
    this.#name = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off', id: `${id}-name` },
        'aria-describedby': `${id}-wrong`,
      },
    });
    this.#name.value = tried.suggestedName;
    this.#name.addEventListener('input', () => this.show());
    this.#name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      this.#onAdd();
    });
    this.#outOfGit.addEventListener('change', () => this.show());
    this.#add = actionButton('Add', { icon: 'add', isPrimary: true, onClick: () => this.#onAdd() });
    this.element = this.#draw();
    this.show();
  }

  focus(): void {
    if (this.#options.tried.registeredAs === null) this.#name.focus();
  }

  setAdding(isAdding: boolean): void {
    this.#isAdding = isAdding;
    this.show();
  }

  show(): void {
    const { tried, secret } = this.#options;
    const name = this.#name.value.trim();
    const why = this.#whyNot(name);
    setText(this.#wrong, why ?? '');
    setHidden(this.#wrong, why === null);
    const entry = {
      ...tried.entry,
      ...(secret === '' ? {} : { api_key: `\${secret:${secret}}` }),
    };
    setText(this.#preview, entryYaml('endpoints', name === '' ? 'name' : name, entry));
    setWhyOff(this.#add, this.#isAdding ? 'It is being added.' : why);
  }

  #draw(): HTMLElement {
    const { tried, isOpen, id } = this.#options;
    const kind = backendWords(tried.probe.backend);
    const isUp = tried.probe.state === 'up';
    const frame = el(
      'details',
      { class: 'found' },
      el(
        'summary',
        {},
        icon(isUp ? 'pass-filled' : 'error', isUp ? 'tone-good' : 'tone-bad'),
        el('span', { class: 'found-title', text: kind === '' ? 'A model server' : kind }),
        el('code', { text: tried.baseUrl }),
        tried.registeredAs === null
          ? null
          : el('span', { class: 'badge', text: `registered as ${tried.registeredAs}` }),
      ),
      isUp
        ? null
        : el('p', {
            class: 'wrong',
            text: [tried.probe.message, tried.probe.hint].filter(Boolean).join(' '),
          }),
      el(
        'dl',
        { class: 'facts' },
        ...foundFacts(tried).map(([name, text]) =>
          el('div', { class: 'fact' }, el('dt', { text: name }), el('dd', { text })),
        ),
      ),
      tried.tools === null && isUp
        ? el('button', {
            class: 'link',
            text: 'Try a tool call: one request to one model',
            attrs: { type: 'button' },
            onClick: this.#options.onTry,
          })
        : null,
      tried.registeredAs === null ? this.#drawEntry(id) : null,
    );
    frame.open = isOpen;
    return el('li', {}, frame);
  }

  #drawEntry(id: string): HTMLElement {
    const { role } = this.#form.state;
    const hasSidecar = role === 'user' || role === 'workspace';
    return el(
      'div',
      { class: 'new-entry' },
      el(
        'div',
        { class: 'new-entry-line' },
        el('label', { class: 'key', text: 'name', attrs: { for: `${id}-name` } }),
        this.#name,
      ),
      this.#wrong,
      hasSidecar
        ? el('label', { class: 'choice' }, this.#outOfGit, 'keep out of git (models.local.yaml)')
        : null,
      this.#preview,
      this.#add,
    );
  }

  #whyNot(name: string): string | null {
    if (this.#form.isLocked) return 'The file cannot be changed here.';
    if (name === '') return 'Give it a name.';
    return Object.hasOwn(groupOf(this.#form.value(['endpoints'])) ?? {}, name)
      ? `There is an endpoint ${name} already.`
      : null;
  }

  #onAdd(): void {
    const name = this.#name.value.trim();
    if (this.#isAdding || this.#whyNot(name) !== null) {
      this.#name.focus();
      return;
    }
    this.setAdding(true);
    this.#options.onAdd(name, this.#outOfGit.checked);
  }
}
