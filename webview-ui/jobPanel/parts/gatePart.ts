import type { JobRecord } from '../../../src/protocol/job.ts';
import { formatDuration, formatPlural } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { failingLines } from '../facts/failingLines.ts';
import { card } from './card.ts';

const MAX_LIVE_LENGTH = 20_000;

/** The check that decides: its verdict, what failed first, and the end of its output. */
export class GatePart {
  readonly element: HTMLElement;
  readonly #verdict = el('p', { class: 'verdict' });
  readonly #failing = el('ol', {
    class: 'failing',
    attrs: { 'aria-label': 'Lines that tell what failed' },
  });
  readonly #output = el('pre', { class: 'output' });
  readonly #frame: HTMLDetailsElement;
  #live = '';
  #shown = '';

  constructor(onOpenLog: () => void) {
    const name = el('summary', { text: 'End of its output' });
    this.#frame = el('details', {}, name, this.#output);
    this.element = card(
      'gate',
      'Gate',
      this.#verdict,
      this.#failing,
      this.#frame,
      el('button', {
        class: 'link',
        text: 'Open all of its output',
        attrs: { type: 'button' },
        onClick: onOpenLog,
      }),
    );
  }

  addLog(text: string, place: 'new' | 'end' | 'start'): void {
    if (place === 'start') return;
    this.#live = ((place === 'new' ? '' : this.#live) + text).slice(-MAX_LIVE_LENGTH);
  }

  show(job: JobRecord): void {
    const isRunning = job.status === 'gating';
    const output = isRunning ? this.#live : (job.gate?.tail ?? '');
    this.element.hidden = !isRunning && (job.gate === null || job.gate.status === 'none');
    const signature = JSON.stringify([isRunning, { ...job.gate, tail: '' }, output]);
    if (this.element.hidden || signature === this.#shown) return;
    this.#shown = signature;
    this.#showVerdict(job, isRunning);
    const failing = isRunning || job.gate?.status === 'passed' ? [] : failingLines(output);
    this.#failing.hidden = failing.length === 0;
    this.#failing.replaceChildren(...failing.map(({ text }) => el('li', {}, el('code', { text }))));
    this.#frame.hidden = output === '';
    // Where no line says what failed, the output has to.
    this.#frame.open = isRunning || (job.gate?.status === 'failed' && failing.length === 0);
    setText(this.#output, output.trimEnd());
  }

  #showVerdict(job: JobRecord, isRunning: boolean): void {
    const { gate } = job;
    if (isRunning || gate === null) {
      this.#verdict.replaceChildren(icon('loading', 'tone-live'), ' The gate is running.');
      return;
    }
    const isPassed = gate.status === 'passed';
    const facts = [
      gate.exit === null ? 'no exit status' : `exit ${gate.exit}`,
      gate.durationS === null ? null : formatDuration(gate.durationS),
      gate.base === 'unknown' ? null : `was ${gate.base} before the job`,
      job.repairRounds === 0 ? null : formatPlural(job.repairRounds, 'repair round'),
      gate.covers === 'exact' ? null : `on content that was ${gate.covers} since`,
    ].filter((each) => each !== null);
    const tampered =
      gate.protectedChanged.length === 0
        ? ''
        : `. Protected files changed: ${gate.protectedChanged.join(', ')}`;
    this.#verdict.replaceChildren(
      icon(
        isPassed ? 'pass' : gate.status === 'tampered' ? 'shield' : 'error',
        isPassed ? 'tone-good' : 'tone-bad',
      ),
      ' ',
      el('strong', { text: `${gate.name} ${gate.status}` }),
      ` · ${facts.join(' · ')}${tampered}`,
    );
  }
}
