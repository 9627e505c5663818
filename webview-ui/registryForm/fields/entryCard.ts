import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { iconButton } from '../dom/iconButton.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import type { Reorder } from '../dom/reorder.ts';
import { setHidden } from '../dom/setHidden.ts';
import { countWords } from '../facts/countWords.ts';
import { groupOf } from '../facts/group.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import { ConfirmRemove } from './confirmRemove.ts';
import type { EntryDetails, EntryKind } from './entryKind.ts';
import type { Place, View } from './fieldView.ts';
import { GroupFields } from './groupFields.ts';
import { ProblemList } from './problemList.ts';
import { RenameInput } from './renameInput.ts';

interface EntryCardOptions {
  readonly kind: EntryKind;
  /** Null: their order means nothing. */
  readonly reorder: Reorder | null;
  readonly placeOf: (card: EntryCard) => number;
  /** Told where the card was. */
  readonly onRemoved: (place: number) => void;
}

/** One entry: a head that tells how it stands, and its keys once it is unfolded. Those of a folded one are not in the document. */
export class EntryCard implements View {
  readonly element: HTMLElement;
  readonly name: string;
  readonly #form: Form;
  readonly #place: Place;
  readonly #path: ConfigPath;
  readonly #options: EntryCardOptions;
  readonly #button: HTMLButtonElement;
  readonly #count = el('span', { class: 'count' });
  readonly #tools: HTMLElement;
  readonly #body: HTMLElement;
  readonly #details: EntryDetails | null;
  readonly #problems: ProblemList;
  readonly #confirm: ConfirmRemove;
  readonly #rename: RenameInput;
  #fields: GroupFields | null = null;

  constructor(form: Form, place: Place, name: string, options: EntryCardOptions) {
    this.#form = form;
    this.#place = place;
    this.name = name;
    this.#path = [...place.path, name];
    this.#options = options;
    const id = pathId(this.#path);
    this.#details = options.kind.makeDetails(form, name);
    this.#button = el(
      'button',
      {
        class: 'fold',
        attrs: { type: 'button', id, 'aria-controls': `${id}-body` },
        onClick: () => form.setOpen(this.#path, !form.isOpen(this.#path)),
      },
      icon('chevron-right', 'twist'),
      el('span', { class: 'entry-name', text: name }),
    );
    this.#body = el('div', { class: 'card-body', attrs: { id: `${id}-body` } });
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      focusAfter: () => this.#button,
    });
    this.#confirm = new ConfirmRemove({
      onRemove: () => this.#remove(),
      onKeep: () => this.#button.focus(),
    });
    this.#rename = new RenameInput({
      name,
      whyNot: (to) => this.#whyNotNamed(to),
      onRename: (to) => this.#renameTo(to),
      onEnd: () => this.#button.focus(),
    });
    this.#tools = el('span', { class: 'tools' }, ...this.#makeTools());
    this.element = el('li', { class: 'entry', attrs: { 'data-path': formatPath(this.#path) } });
    const { reorder } = options;
    this.element.append(
      el(
        'div',
        { class: 'card-head' },
        reorder?.grip(this.element) ?? null,
        el('h3', {}, this.#button),
        this.#rename.element,
        this.#details?.summary ?? null,
        this.#count,
        this.#tools,
      ),
      this.#confirm.element,
      this.#problems.element,
      this.#body,
    );
    reorder?.listenToKeys(this.element);
  }

  focus(): void {
    this.#button.focus();
  }

  show(): void {
    const isOpen = this.#form.isOpen(this.#path);
    this.element.classList.toggle('is-open', isOpen);
    setAttribute(this.#button, 'aria-expanded', String(isOpen));
    const problems = this.#form.problems.under(this.#path);
    setText(this.#count, countWords(problems));
    this.#count.classList.toggle('has-errors', problems.errors > 0);
    setHidden(this.#tools, this.#form.isLocked);
    this.#problems.show(this.#form.problems.at(this.#path), this.#form.troubleAt(this.#path));
    this.#details?.show(isOpen);
    setHidden(this.#body, !isOpen);
    if (isOpen) this.#showBody();
  }

  #showBody(): void {
    if (this.#fields === null) {
      this.#fields = new GroupFields(this.#form, this.#path, this.#place.field.entry?.fields ?? []);
      if (this.#details?.body) this.#body.append(this.#details.body);
      this.#body.append(this.#fields.element);
    }
    this.#fields.show();
  }

  #makeTools(): HTMLElement[] {
    const { reorder } = this.#options;
    const move = (by: -1 | 1) => () => reorder?.step(this.element, by);
    return [
      ...(reorder === null
        ? []
        : [
            iconButton('arrow-up', `Move ${this.name} up (Alt+Up)`, move(-1)),
            iconButton('arrow-down', `Move ${this.name} down (Alt+Down)`, move(1)),
          ]),
      iconButton('edit', `Rename ${this.name}`, () => this.#rename.open()),
      iconButton('trash', `Remove ${this.name}`, () => this.#ask()),
    ];
  }

  #ask(): void {
    const { kind } = this.#options;
    const missed = kind.dependents(this.#form, this.name);
    this.#confirm.ask(`Remove the ${kind.noun} ${this.name}?`, missed);
  }

  #remove(): void {
    const { kind, placeOf, onRemoved } = this.#options;
    const place = placeOf(this);
    this.#form.edit(
      this.#path,
      () =>
        this.#form.value(this.#path) === undefined
          ? null
          : [{ kind: 'remove', path: [...this.#path] }],
      `The ${kind.noun} ${this.name} is removed.`,
      () => onRemoved(place),
    );
  }

  #whyNotNamed(to: string): string | null {
    if (to === '') return 'Type a name.';
    return Object.hasOwn(groupOf(this.#form.value(this.#place.path)) ?? {}, to)
      ? `There is a ${this.#options.kind.noun} ${to} already.`
      : null;
  }

  #renameTo(to: string): void {
    const { kind } = this.#options;
    const target = [...this.#place.path, to];
    this.#form.edit(
      this.#path,
      () => [
        ...kind.renameAlso(this.#form, this.name, to),
        { kind: 'rename', path: [...this.#path], to },
      ],
      `${this.name} is now called ${to}.`,
      () => {
        if (this.#form.isOpen(this.#path)) this.#form.setOpen(target, true);
        this.#form.reveal(target);
      },
    );
  }
}
