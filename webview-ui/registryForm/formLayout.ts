import type { ConfigPath } from '../../src/config/configPath.ts';
import type { FormField } from '../../src/protocol/modelsLanguage/formState.ts';
import type {
  FormPageMessage,
  FormViewState,
} from '../../src/protocol/registryForm/formMessages.ts';
import { el } from '../dom/el.ts';
import { groupOf } from './facts/group.ts';
import { pathId } from './facts/pathId.ts';
import { type Section, sectionOfKey, sectionsOf } from './facts/sections.ts';
import type { View } from './fields/fieldView.ts';
import { Form } from './form.ts';
import { BarPart } from './parts/barPart.ts';
import { LiveLine } from './parts/liveLine.ts';
import { NavPart } from './parts/navPart.ts';
import { RegisterPart } from './parts/registerPart.ts';
import { SecretsPart } from './parts/secretsPart.ts';
import { SectionPart } from './parts/sectionPart.ts';

interface FormLayoutOptions {
  readonly root: FormField;
  readonly kept: FormViewState;
  readonly post: (message: FormPageMessage) => void;
  readonly say: (text: string) => void;
  readonly keep: (state: FormViewState) => void;
  /** The key that last had the focus. */
  readonly lastFocus: () => ConfigPath;
}

/** Bar, list of sections and the one that is shown. The others are not in the document. */
export class FormLayout {
  readonly element: HTMLElement;
  readonly form: Form;
  readonly register: RegisterPart;
  hasState = false;
  readonly #options: FormLayoutOptions;
  readonly #sections: readonly Section[];
  readonly #parts = new Map<string, SectionPart>();
  readonly #scroll = el('main', { class: 'scroll', attrs: { 'aria-labelledby': 'section-title' } });
  readonly #bar: BarPart;
  readonly #nav: NavPart;
  readonly #liveLines: LiveLine[] = [];
  #chosen: string;
  #wasLive = false;

  constructor(options: FormLayoutOptions) {
    this.#options = options;
    this.#sections = sectionsOf(options.root);
    this.#chosen = this.#sections.some(({ id }) => id === options.kept.section)
      ? options.kept.section
      : (this.#sections[0]?.id ?? '');
    this.form = new Form({
      root: options.root,
      post: options.post,
      say: options.say,
      open: options.kept.open,
      onChange: () => this.#show(),
      onReveal: (path) => this.reveal(path),
    });
    this.register = new RegisterPart(this.form, () => this.#focusTitle());
    this.#bar = new BarPart(this.form, {
      onOpenYaml: () => options.post({ type: 'openYaml', path: [...this.#placeForYaml()] }),
      onRegister: () => {
        this.#choose('endpoints');
        this.register.open();
      },
    });
    this.#nav = new NavPart(this.form, {
      sections: this.#sections,
      chosen: () => this.#chosen,
      onChoose: (id) => {
        this.#choose(id);
        this.#scroll.scrollTop = 0;
      },
    });
    this.#scroll.addEventListener('scroll', () => this.#keep(), { passive: true });
    this.element = el(
      'div',
      { class: 'form' },
      this.#bar.element,
      el('div', { class: 'sides' }, this.#nav.element, this.#scroll),
    );
    this.element.hidden = true;
  }

  /** With the first state: where the reader was. A file without an endpoint begins with registering one. */
  showFirst(): void {
    if (this.hasState) return;
    this.hasState = true;
    this.element.hidden = false;
    this.#show();
    this.#scroll.scrollTop = this.#options.kept.scrollTop;
    const { state, isReadonly } = this.form;
    const isEmpty = Object.keys(groupOf(state.values) ?? {}).length === 0;
    if (state.isEditable && isEmpty && !isReadonly && this.#chosen === 'endpoints')
      this.register.open();
  }

  /** What changes with the clock alone. */
  tick(): void {
    if (!this.hasState) return;
    for (const line of this.#liveLines) line.show();
    if (this.form.liveAge().isLive !== this.#wasLive) this.#show();
  }

  /** Shows the key at a path, or the nearest place around it, and gives it the focus. */
  reveal(path: ConfigPath): void {
    const section = sectionOfKey(this.#sections, path[0]);
    if (section === undefined || !this.form.state.isEditable) return;
    for (let length = 2; length <= path.length; length += 1) {
      const place = path.slice(0, length);
      if (groupOf(this.form.value(place)) !== null || this.#isFold(place))
        this.form.setOpen(place, true);
    }
    this.#choose(section.id);
    for (let length = path.length; length > 0; length -= 1) {
      const target = document.getElementById(pathId(path.slice(0, length)));
      if (target === null || target.offsetParent === null) continue;
      target.scrollIntoView({ block: 'center' });
      target.focus();
      return;
    }
    this.#focusTitle();
  }

  #show(): void {
    if (!this.hasState) return;
    this.#wasLive = this.form.liveAge().isLive;
    this.#bar.show();
    const { isEditable } = this.form.state;
    this.element.classList.toggle('is-broken', !isEditable);
    if (isEditable) {
      this.#nav.show();
      this.#part()?.show();
    }
    this.#keep();
  }

  #part(): SectionPart | null {
    const section = this.#sections.find(({ id }) => id === this.#chosen);
    if (section === undefined) return null;
    let part = this.#parts.get(section.id);
    if (part === undefined) {
      part = new SectionPart(this.form, section, this.#before(section), this.#after(section));
      this.#parts.set(section.id, part);
    }
    if (part.element.parentElement !== this.#scroll) this.#scroll.replaceChildren(part.element);
    return part;
  }

  #before({ id }: Section): View[] {
    if (id !== 'endpoints' && id !== 'pools' && id !== 'failover') return [];
    const line = new LiveLine(this.form);
    this.#liveLines.push(line);
    return id === 'endpoints' ? [line, this.register] : [line];
  }

  #after({ id }: Section): View[] {
    return id === 'secrets' ? [new SecretsPart(this.form)] : [];
  }

  #choose(id: string): void {
    this.#chosen = id;
    this.#show();
  }

  /** A group that stands folded inside another one, such as `tls`: its keys need not be in the file. */
  #isFold(path: ConfigPath): boolean {
    let field: FormField | undefined = this.#options.root;
    for (const segment of path)
      field =
        field?.kind === 'entries' ? field.entry : field?.fields?.find(({ key }) => key === segment);
    return field?.kind === 'group';
  }

  #focusTitle(): void {
    this.#part()?.title.focus();
  }

  /** What is shown counts where the focus is elsewhere. */
  #placeForYaml(): ConfigPath {
    const focused = this.#options.lastFocus();
    const section = this.#sections.find(({ id }) => id === this.#chosen);
    const isHere = section?.fields.some(({ key }) => key === focused[0]) === true;
    return isHere ? focused : [section?.fields[0]?.key ?? ''];
  }

  #keep(): void {
    this.#options.keep({
      section: this.#chosen,
      open: this.form.open,
      scrollTop: this.#scroll.scrollTop,
    });
  }
}
