import type * as z from 'zod';
import { type ConfigPath, parsePath } from '../../src/config/configPath.ts';
import type { FormField } from '../../src/protocol/modelsLanguage/formState.ts';
import {
  formMessageSchema,
  formViewStateSchema,
  type FormPageMessage,
  type FormViewState,
} from '../../src/protocol/registryForm/formMessages.ts';
import { el } from '../dom/el.ts';
import { setHidden } from './dom/setHidden.ts';
import type { VsCodeApi } from '../vscodeApi.ts';
import { FormLayout } from './formLayout.ts';

type Message = z.output<typeof formMessageSchema>;

const TICK_MS = 1000;

/** The page of the form: it is told what the file says, and says what a person wants. It keeps nothing but where its reader was. */
export class FormPage {
  readonly #api: VsCodeApi<FormPageMessage, FormViewState>;
  readonly #voice = el('div', { class: 'visually-hidden', attrs: { role: 'status' } });
  readonly #notice = el('p', { class: 'notice-line', attrs: { role: 'alert' } });
  #state: FormViewState;
  #layout: FormLayout | null = null;
  #toReveal: ConfigPath | null = null;
  #focused = '';

  constructor(api: VsCodeApi<FormPageMessage, FormViewState>) {
    this.#api = api;
    const kept = formViewStateSchema.safeParse(api.getState() ?? {});
    this.#state = kept.success ? kept.data : { section: 'endpoints', open: [], scrollTop: 0 };
  }

  start(): void {
    this.#notice.hidden = true;
    document.body.append(this.#voice, this.#notice);
    addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#onMessage(data));
    document.addEventListener('securitypolicyviolation', (event) =>
      this.#api.postMessage({
        type: 'blocked',
        directive: event.effectiveDirective.slice(0, 200),
        uri: event.blockedURI.slice(0, 1000),
      }),
    );
    document.addEventListener('focusin', ({ target }) => this.#onFocus(target));
    setInterval(() => {
      if (!document.hidden) this.#layout?.tick();
    }, TICK_MS);
    this.#api.postMessage({ type: 'ready' });
  }

  #onMessage(data: unknown): void {
    const parsed = formMessageSchema.safeParse(data);
    // VS Code itself also posts to its webviews; what is none of ours is none of our business.
    if (parsed.success) this.#take(parsed.data);
  }

  #take(message: Message): void {
    if (message.type === 'fields') {
      this.#begin(message.root);
      return;
    }
    const layout = this.#layout;
    if (layout === null) {
      // Nothing can be placed yet; why there is nothing can be said.
      if (message.type === 'told') this.#tell(message);
      return;
    }
    const { form } = layout;
    switch (message.type) {
      case 'state':
        form.setState(message.state, message.isReadonly);
        layout.showFirst();
        this.#reveal();
        break;
      case 'live':
        form.live = message.live;
        form.isAsking = message.isAsking;
        form.redraw();
        break;
      case 'edited':
        form.onEdited(message.id, message.outcome, message.message);
        break;
      case 'scanned':
        layout.register.onScanned(message.asked, message.found);
        form.redraw();
        break;
      case 'tried':
        layout.register.onTried(message.baseUrl, message.tried);
        form.redraw();
        break;
      case 'told':
        if (message.about === 'secret' || message.about === 'form') this.#tell(message);
        else layout.register.onTold(message);
        break;
      case 'gate':
        form.gates.set(message.name, message);
        if (message.state !== 'running') this.#say(`The gate ${message.name}: ${message.state}.`);
        form.redraw();
        break;
      case 'show':
        this.#toReveal = message.path;
        if (layout.hasState) this.#reveal();
        break;
      case 'trust':
        form.isTrusted = message.isTrusted;
        form.redraw();
        break;
    }
  }

  #begin(root: FormField): void {
    if (this.#layout !== null) return;
    this.#layout = new FormLayout({
      ...{ root, kept: this.#state },
      post: (message) => this.#api.postMessage(message),
      say: (text) => this.#say(text),
      keep: (state) => {
        this.#state = state;
        this.#api.setState(state);
      },
      lastFocus: () => parsePath(this.#focused) ?? [],
    });
    document.body.append(this.#layout.element);
  }

  #reveal(): void {
    const path = this.#toReveal;
    this.#toReveal = null;
    if (path !== null) this.#layout?.reveal(path);
  }

  #onFocus(target: EventTarget | null): void {
    const place = target instanceof Element ? target.closest('[data-path]') : null;
    const text = place?.getAttribute('data-path') ?? '';
    if (text === '' || text === this.#focused) return;
    this.#focused = text;
    const path = parsePath(text);
    if (path !== null) this.#api.postMessage({ type: 'focus', path: [...path] });
  }

  #tell({ isError, message, hint }: { isError: boolean; message: string; hint: string }): void {
    const text = [message, hint].filter((part) => part !== '').join(' ');
    setHidden(this.#notice, !isError || text === '');
    this.#notice.textContent = isError ? text : '';
    if (!isError) this.#say(text);
  }

  /** The same sentence twice is spoken twice. */
  #say(text: string): void {
    if (text === '') return;
    this.#voice.textContent = '';
    this.#voice.textContent = text;
  }
}
