import { formatDuration } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import type { EntryDetails } from '../fields/entryKind.ts';
import type { Form, GateRun } from '../form.ts';

const FACES: Readonly<Record<GateRun['state'], readonly [icon: string, tone: string]>> = {
  running: ['loading', 'live'],
  passed: ['pass', 'good'],
  failed: ['error', 'bad'],
  refused: ['circle-slash', 'attention'],
};

/** Runs a gate and shows how it ended. It is the saved file that counts, on what is committed. */
export class GateDetails implements EntryDetails {
  readonly summary: HTMLElement;
  readonly body: HTMLElement;
  readonly #form: Form;
  readonly #name: string;
  readonly #state = el('span', { class: 'state' });
  readonly #command = el('code', { class: 'summary-parts' });
  readonly #run: HTMLButtonElement;
  readonly #output = el('pre', { class: 'output', attrs: { tabindex: '0' } });
  #shown = '';

  constructor(form: Form, name: string) {
    this.#form = form;
    this.#name = name;
    this.#run = el('button', {
      class: 'small-button',
      attrs: { type: 'button' },
      onClick: () => this.#onClick(),
    });
    this.#output.setAttribute('aria-label', `Output of ${name}`);
    this.summary = el('span', { class: 'summary' }, this.#state, this.#command, this.#run);
    this.body = el('div', { class: 'live' }, this.#output);
  }

  show(): void {
    const run = this.#form.gates.get(this.#name);
    const command = this.#form.value(['gates', this.#name, 'run']);
    setText(this.#command, typeof command === 'string' ? command : '');
    const why = this.#whyNot();
    setText(this.#run, run?.state === 'running' ? 'Stop' : 'Run now');
    setAttribute(this.#run, 'aria-label', `${this.#run.textContent}: ${this.#name}`);
    setAttribute(this.#run, 'aria-disabled', why === null ? null : 'true');
    setAttribute(this.#run, 'title', why ?? 'Runs the gate of the saved file on what is committed');
    const signature = JSON.stringify(run);
    if (signature === this.#shown) return;
    this.#shown = signature;
    this.body.hidden = run === undefined || run.text === '';
    if (run === undefined) return;
    const [iconName, tone] = FACES[run.state];
    const time = run.durationS === null ? '' : ` in ${formatDuration(run.durationS)}`;
    this.#state.replaceChildren(icon(iconName), ` ${run.state}${time}`);
    this.#state.className = `state tone-${tone}`;
    setText(this.#output, run.text.trimEnd());
    this.#output.scrollTop = this.#output.scrollHeight;
  }

  #whyNot(): string | null {
    if (this.#form.whyNoActions !== null) return this.#form.whyNoActions;
    return this.#form.state.isUsed ? null : 'This file is not trusted: nothing of it is run.';
  }

  #onClick(): void {
    if (this.#whyNot() !== null) return;
    const isRunning = this.#form.gates.get(this.#name)?.state === 'running';
    this.#form.post({ type: isRunning ? 'stopGate' : 'runGate', name: this.#name });
    if (isRunning) return;
    this.#form.gates.set(this.#name, { state: 'running', text: '', durationS: null });
    if (!this.#form.isOpen(['gates', this.#name])) this.#form.setOpen(['gates', this.#name], true);
    else this.#form.redraw();
  }
}
