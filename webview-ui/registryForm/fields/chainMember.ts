import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import { iconButton } from '../dom/iconButton.ts';
import type { Reorder } from '../dom/reorder.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { setHidden } from '../dom/setHidden.ts';
import { servedAt } from '../facts/knownModels.ts';
import { pathId } from '../facts/pathId.ts';
import type { Form } from '../form.ts';
import type { View } from './fieldView.ts';
import { ProblemList } from './problemList.ts';

interface ChainMemberOptions {
  readonly reorder: Reorder;
  readonly placeOf: (member: ChainMember) => number;
  readonly onRemove: (member: ChainMember) => void;
}

/** One model of a chain. Its place may change; what is typed and what has the focus goes with the model. */
export class ChainMember implements View {
  readonly element: HTMLElement;
  readonly model: string;
  readonly #form: Form;
  readonly #chain: ConfigPath;
  readonly #options: ChainMemberOptions;
  readonly #name: HTMLElement;
  readonly #number = el('span', { class: 'number', attrs: { 'aria-hidden': 'true' } });
  readonly #served = el('span', { class: 'served' });
  readonly #tools: HTMLElement;
  readonly #problems: ProblemList;

  constructor(form: Form, chain: ConfigPath, model: string, options: ChainMemberOptions) {
    this.#form = form;
    this.#chain = chain;
    this.model = model;
    this.#options = options;
    this.#name = el('button', {
      class: 'member-name',
      text: model,
      title: 'Delete removes it, Alt with an arrow key moves it.',
      attrs: { type: 'button' },
    });
    this.element = el('li', { class: 'member' });
    const { reorder } = options;
    const move = (by: -1 | 1) => () => reorder.step(this.element, by);
    this.#tools = el(
      'span',
      { class: 'tools' },
      iconButton('arrow-up', `Move ${model} up (Alt+Up)`, move(-1)),
      iconButton('arrow-down', `Move ${model} down (Alt+Down)`, move(1)),
      iconButton('close', `Remove ${model} (Delete)`, () => options.onRemove(this)),
    );
    this.#problems = new ProblemList(form, { id: '', focusAfter: () => this.#name });
    this.element.append(
      el(
        'div',
        { class: 'member-line' },
        reorder.grip(this.element),
        this.#number,
        this.#name,
        this.#served,
        this.#tools,
      ),
      this.#problems.element,
    );
    reorder.listenToKeys(this.element);
    this.#name.addEventListener('keydown', (event) => {
      if (event.key !== 'Delete' || form.isLocked) return;
      event.preventDefault();
      options.onRemove(this);
    });
  }

  focus(): void {
    this.#name.focus();
  }

  show(): void {
    const place = this.#options.placeOf(this);
    if (place < 0) return;
    const path = [...this.#chain, place];
    const id = pathId(path);
    setAttribute(this.element, 'data-path', formatPath(path));
    setAttribute(this.#name, 'id', id);
    setAttribute(this.#name, 'aria-describedby', `${id}-problems`);
    setAttribute(this.#problems.element, 'id', `${id}-problems`);
    setText(this.#number, String(place + 1));
    setText(this.#served, this.#servedWords());
    setHidden(this.#tools, this.#form.isLocked);
    const problems = this.#form.problems.at(path);
    this.#problems.show(problems, '');
    this.element.classList.toggle('is-wrong', problems.length > 0);
  }

  #servedWords(): string {
    const endpoints = servedAt(this.model, this.#form.live);
    if (endpoints === null) return '';
    const { isLive } = this.#form.liveAge();
    if (endpoints.length === 0) return isLive ? 'not served now' : '';
    return `${isLive ? 'on' : 'was on'} ${endpoints.join(', ')}`;
  }
}
