import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { iconButton } from '../dom/iconButton.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { Reorder } from '../dom/reorder.ts';
import { setHidden } from '../dom/setHidden.ts';
import { textOf } from '../facts/fieldText.ts';
import { addItem, moveItem, removeItem } from '../facts/itemEdits.ts';
import { listKeys } from '../facts/listKeys.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import { ChainMember } from './chainMember.ts';
import { ConfirmRemove } from './confirmRemove.ts';
import type { View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';
import { RenameInput } from './renameInput.ts';

interface ChainCardOptions {
  readonly modelsId: string;
  readonly onRemoved: () => void;
  readonly isTaken: (name: string) => boolean;
}

/** One chain: its members in order, each with what is wrong with it. */
export class ChainCard implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #path: ConfigPath;
  readonly #name: string;
  readonly #head: HTMLElement;
  readonly #tools: HTMLElement;
  readonly #members: KeyedList<ChainMember>;
  readonly #reorder: Reorder;
  readonly #add: HTMLInputElement;
  readonly #addRow: HTMLElement;
  readonly #problems: ProblemList;
  readonly #empty = el('p', { class: 'empty', text: 'Nobody stands in yet.' });

  constructor(form: Form, path: ConfigPath, options: ChainCardOptions) {
    this.#form = form;
    this.#path = path;
    this.#name = String(path.at(-1));
    const id = pathId(path);
    this.#head = el('h4', {
      class: 'entry-name',
      text: this.#name,
      attrs: { id, tabindex: '-1' },
    });
    const confirm = new ConfirmRemove({
      onRemove: () => this.#remove(options.onRemoved),
      onKeep: () => this.#add.focus(),
    });
    const rename = new RenameInput({
      name: this.#name,
      whyNot: (to) =>
        to === '' ? 'Type a name.' : options.isTaken(to) ? `${to} has a chain already.` : null,
      onRename: (to) => this.#rename(to),
      onEnd: () => this.#add.focus(),
    });
    this.#tools = el(
      'span',
      { class: 'tools' },
      iconButton('edit', `Rename the chain of ${this.#name}`, () => rename.open()),
      iconButton('trash', `Remove the chain of ${this.#name}`, () =>
        confirm.ask(`Remove the chain of ${this.#name}?`, []),
      ),
    );
    const list = el('ol', {
      class: 'members',
      attrs: { role: 'list', 'aria-label': `Stand-ins for ${this.#name}, in order` },
    });
    this.#reorder = new Reorder(list, (from, to) => this.#move(from, to));
    this.#members = new KeyedList(
      list,
      (key) =>
        new ChainMember(form, path, key.slice(key.indexOf(':') + 1), {
          reorder: this.#reorder,
          placeOf: (member) => this.#members.items.indexOf(member),
          onRemove: (member) => this.#removeMember(member),
        }),
    );
    this.#add = this.#makeAdd(options.modelsId);
    this.#addRow = el(
      'div',
      { class: 'add-row' },
      this.#add,
      el('button', {
        class: 'small-button',
        text: 'Add',
        attrs: { type: 'button', 'aria-label': `Add a stand-in for ${this.#name}` },
        onClick: () => this.#addMember(),
      }),
    );
    this.#problems = new ProblemList(form, {
      id: `${id}-problems`,
      focusAfter: () => this.#add,
    });
    this.element = el(
      'li',
      { class: 'entry chain', attrs: { 'data-path': formatPath(path) } },
      el('div', { class: 'card-head' }, this.#head, rename.element, this.#tools),
      confirm.element,
      this.#problems.element,
      this.#empty,
      list,
      this.#addRow,
    );
  }

  focusAdd(): void {
    this.#add.scrollIntoView({ block: 'nearest' });
    this.#add.focus();
  }

  show(): void {
    const { shown } = this.#now();
    const { isLocked } = this.#form;
    this.#problems.show(this.#form.problems.at(this.#path), this.#form.troubleAt(this.#path));
    setHidden(this.#tools, isLocked);
    setHidden(this.#addRow, isLocked);
    this.#reorder.isLocked = isLocked;
    setHidden(this.#empty, shown.length > 0);
    this.#members.show(listKeys(shown.map(textOf)));
  }

  #now(): { path: ConfigPath; own: readonly unknown[] | null; shown: readonly unknown[] } {
    const value = this.#form.value(this.#path);
    const own = Array.isArray(value) ? value : null;
    return { path: this.#path, own, shown: own ?? [] };
  }

  #makeAdd(modelsId: string): HTMLInputElement {
    const input = el('input', {
      class: 'input',
      attrs: {
        ...{ type: 'text', spellcheck: 'false', autocomplete: 'off' },
        ...{ placeholder: 'model that may stand in', list: modelsId },
        'aria-label': `Model that may stand in for ${this.#name}`,
      },
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      this.#addMember();
    });
    return input;
  }

  #addMember(): void {
    const model = this.#add.value.trim();
    if (model === '') {
      this.#add.focus();
      return;
    }
    this.#form.edit(
      this.#path,
      () => addItem(this.#now(), model),
      `${model} is added at place ${this.#now().shown.length + 1}.`,
      () => {
        if (this.#add.value.trim() === model) this.#add.value = '';
        this.#add.focus();
      },
    );
  }

  #move(from: number, to: number): void {
    const member = this.#members.items[from];
    if (member === undefined) return;
    this.#form.edit(
      this.#path,
      () => moveItem(this.#now(), member.model, from, to - from),
      '',
      () => {
        const { items } = this.#members;
        this.#form.say(`${member.model} is now ${items.indexOf(member) + 1} of ${items.length}.`);
      },
    );
  }

  #removeMember(member: ChainMember): void {
    const place = this.#members.items.indexOf(member);
    this.#form.edit(
      this.#path,
      () => removeItem(this.#now(), member.model, place),
      `${member.model} is removed from the chain of ${this.#name}.`,
      () => {
        const { items } = this.#members;
        const next = items[Math.min(place, items.length - 1)];
        if (next === undefined) this.#add.focus();
        else next.focus();
      },
    );
  }

  #remove(onRemoved: () => void): void {
    this.#form.edit(
      this.#path,
      () =>
        this.#form.value(this.#path) === undefined
          ? null
          : [{ kind: 'remove', path: [...this.#path] }],
      `The chain of ${this.#name} is removed.`,
      onRemoved,
    );
  }

  #rename(to: string): void {
    this.#form.edit(
      this.#path,
      () => [{ kind: 'rename', path: [...this.#path], to }],
      `The chain of ${this.#name} is now that of ${to}.`,
      () => this.#form.reveal([...this.#path.slice(0, -1), to]),
    );
  }
}
