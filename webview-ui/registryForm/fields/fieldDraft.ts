import { readText, textOf } from '../facts/fieldText.ts';
import { pathId } from '../facts/pathId.ts';
import { sameValue } from '../facts/sameValue.ts';
import type { Form } from '../form.ts';
import type { Place } from './fieldView.ts';

/** What is typed at one key, from the first letter until the file has it. */
export class FieldDraft {
  readonly #form: Form;
  readonly #place: Place;
  readonly #id: string;
  /** A reason not to write a text that would be written otherwise. */
  readonly #whyNot: (text: string) => string | null;

  constructor(form: Form, place: Place, whyNot: (text: string) => string | null = () => null) {
    this.#form = form;
    this.#place = place;
    this.#id = pathId(place.path);
    this.#whyNot = whyNot;
  }

  /** What the control shows: what is typed, else what the file says. */
  get text(): string {
    return this.#form.drafts.get(this.#id)?.text ?? textOf(this.#form.value(this.#place.path));
  }

  type(text: string): void {
    this.#form.drafts.type(this.#id, text);
  }

  /** Gives the text to the file. One that could not be written is tried again only when somebody asks for it. */
  commit(isAskedFor: boolean): void {
    const draft = this.#form.drafts.get(this.#id);
    if (draft === null || draft.isSent || (draft.trouble !== '' && !isAskedFor)) return;
    const { path, field } = this.#place;
    const reading = readText(field, draft.text);
    const value = reading.kind === 'value' ? reading.value : undefined;
    const isUnchanged = reading.kind !== 'bad' && sameValue(value, this.#form.value(path));
    const why = reading.kind === 'bad' ? reading.message : this.#whyNot(draft.text);
    if (isUnchanged) this.#form.drafts.drop(this.#id);
    else if (why !== null && reading.kind !== 'none') this.#form.drafts.refuse(this.#id, why);
    else this.#form.writeDraft(path, value);
    this.#form.redraw();
  }

  /** False: nothing was typed. */
  takeBack(): boolean {
    const isTyped = this.#form.drafts.get(this.#id) !== null;
    this.#form.drafts.drop(this.#id);
    if (isTyped) this.#form.redraw();
    return isTyped;
  }
}
