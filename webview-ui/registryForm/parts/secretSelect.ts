import { el } from '../../dom/el.ts';
import type { Form } from '../form.ts';

const NEW_KEY = '\u0000new';

/** Chooses one of the kept secrets for a key, or has VS Code ask for a new one, which is chosen as soon as it is kept. */
export class SecretSelect {
  readonly element: HTMLSelectElement;
  readonly #form: Form;
  /** What was kept when a new one was asked for. */
  #before: readonly string[] | null = null;
  #shown = '';
  #chosen = '';

  constructor(form: Form, label: string, onChange: () => void) {
    this.#form = form;
    this.element = el('select', { class: 'input short', attrs: { 'aria-label': label } });
    this.element.addEventListener('change', () => {
      if (this.element.value === NEW_KEY) {
        this.#before = form.live.secrets ?? [];
        this.element.value = this.#chosen;
        form.post({ type: 'askSecret' });
      } else this.#chosen = this.element.value;
      onChange();
    });
  }

  /** Name of the secret; empty: no key. */
  get chosen(): string {
    return this.#chosen;
  }

  show(): void {
    const kept = this.#form.live.secrets ?? [];
    const fresh =
      this.#before === null ? undefined : kept.find((name) => !this.#before?.includes(name));
    if (fresh !== undefined) {
      this.#before = null;
      this.#chosen = fresh;
    }
    const signature = JSON.stringify(kept);
    if (signature !== this.#shown) {
      this.#shown = signature;
      this.element.replaceChildren(
        ...[
          ['', 'no key'] as const,
          ...kept.map((name) => [name, name] as const),
          [NEW_KEY, 'New key…'] as const,
        ].map(([value, text]) => {
          const option = el('option', { text });
          option.value = value;
          return option;
        }),
      );
    }
    if (this.element.value !== this.#chosen) this.element.value = this.#chosen;
  }
}
