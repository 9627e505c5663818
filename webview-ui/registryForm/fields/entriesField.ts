import { formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { KeyedList } from '../dom/keyedList.ts';
import { Reorder } from '../dom/reorder.ts';
import { setHidden } from '../dom/setHidden.ts';
import { groupOf } from '../facts/group.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import { AddEntry } from './addEntry.ts';
import { EntryCard } from './entryCard.ts';
import { entryKindOf } from './entryKinds.ts';
import type { Place, View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

/** Entries with free names, as cards: endpoints, pools, models, gates, roles. */
export class EntriesField implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #place: Place;
  readonly #cards: KeyedList<EntryCard>;
  readonly #reorder: Reorder | null;
  readonly #empty = el('p', { class: 'empty' });
  readonly #add: AddEntry;
  readonly #problems: ProblemList;

  constructor(form: Form, place: Place) {
    this.#form = form;
    this.#place = place;
    const kind = entryKindOf(place.field.key);
    const list = el(kind.isOrdered ? 'ol' : 'ul', {
      class: 'cards',
      attrs: { role: 'list', 'aria-label': place.field.key },
    });
    this.#reorder = kind.isOrdered ? new Reorder(list, (from, to) => this.#move(from, to)) : null;
    this.#cards = new KeyedList(
      list,
      (name) =>
        new EntryCard(form, place, name, {
          kind,
          reorder: this.#reorder,
          onRemoved: (at) => this.#focusNear(at),
          placeOf: (card) => this.#cards.items.indexOf(card),
        }),
    );
    setText(this.#empty, kind.empty);
    this.#add = new AddEntry(form, place, kind);
    this.#problems = new ProblemList(form, {
      id: `${pathId(place.path)}-problems`,
      focusAfter: () => this.#add.input,
    });
    this.element = el(
      'div',
      { class: 'entries', attrs: { 'data-path': formatPath(place.path) } },
      this.#problems.element,
      this.#empty,
      list,
      this.#add.element,
    );
  }

  show(): void {
    const { path } = this.#place;
    const names = Object.keys(groupOf(this.#form.value(path)) ?? {});
    if (this.#reorder !== null) this.#reorder.isLocked = this.#form.isLocked;
    this.#problems.show(this.#form.problems.at(path), this.#form.troubleAt(path));
    setHidden(this.#empty, names.length > 0);
    this.#cards.show(names);
    this.#add.show();
  }

  #move(from: number, to: number): void {
    const card = this.#cards.items[from];
    if (card === undefined) return;
    const { path } = this.#place;
    const by = to - from;
    this.#form.edit(
      [...path, card.name],
      () => {
        // Another move may have come first: it is by how much that counts.
        const names = Object.keys(groupOf(this.#form.value(path)) ?? {});
        const now = names.indexOf(card.name);
        const target = Math.max(0, Math.min(names.length - 1, now + by));
        return now < 0 || target === now
          ? null
          : [{ kind: 'move', path: [...path, card.name], to: target }];
      },
      '',
      () => {
        const { items } = this.#cards;
        card.element.scrollIntoView({ block: 'nearest' });
        this.#form.say(`${card.name} is now ${items.indexOf(card) + 1} of ${items.length}.`);
      },
    );
  }

  #focusNear(at: number): void {
    const { items } = this.#cards;
    const next = items[Math.min(at, items.length - 1)];
    if (next === undefined) this.#add.input.focus();
    else next.focus();
  }
}
