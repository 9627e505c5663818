import type { JobRecord } from '../../../src/protocol/job.ts';
import { formatCount, formatPlural } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import { setText } from '../../dom/setText.ts';
import type { ChartPoint } from '../facts/chartScale.ts';
import { type RequestPoint, RequestPoints } from '../facts/requestPoints.ts';
import { card } from './card.ts';
import { chartView } from './chartView.ts';

/** How full the model's window was at each request, and how fast it answered. */
export class ChartsPart {
  readonly element: HTMLElement;
  readonly #requests = new RequestPoints();
  readonly #charts = el('div', { class: 'charts' });
  readonly #firstToken = el('p', { class: 'summary' });
  #shown = '';

  constructor() {
    this.element = card('pace', 'Context and speed', this.#firstToken, this.#charts);
    this.element.hidden = true;
  }

  addLog(text: string, place: 'new' | 'end' | 'start'): void {
    if (place === 'new') this.#requests.restart();
    else if (place === 'end') this.#requests.append(text);
  }

  show(job: JobRecord): void {
    const { points } = this.#requests;
    const { window } = job.context;
    const signature = `${points.length} ${points.at(-1)?.at ?? ''} ${window ?? ''}`;
    if (signature === this.#shown) return;
    this.#shown = signature;
    const open = [...this.#charts.querySelectorAll('details')].map((each) => each.open);
    setText(this.#firstToken, firstTokenText(points));
    const context = valuesOf(points, ({ contextUsed }) => contextUsed);
    const speed = valuesOf(points, ({ tokensPerS }) => tokensPerS);
    this.element.hidden = context.length === 0 && speed.length === 0;
    this.#charts.replaceChildren(
      ...(context.length === 0 ? [] : [contextChart(context, window)]),
      ...(speed.length === 0 ? [] : [speedChart(speed)]),
    );
    for (const [index, each] of this.#charts.querySelectorAll('details').entries())
      each.open = open[index] ?? false;
  }
}

function firstTokenText(points: readonly RequestPoint[]): string {
  const waits = points.flatMap(({ firstTokenMs }) => firstTokenMs ?? []).sort((a, b) => a - b);
  const [longest, middle] = [waits.at(-1), waits[Math.floor(waits.length / 2)]];
  if (longest === undefined || middle === undefined) return '';
  const inS = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const most = waits.length === 1 ? '' : `, at most ${inS(longest)}`;
  return `First token after ${inS(middle)}${most}, over ${formatPlural(waits.length, 'request')}.`;
}

function contextChart(points: readonly ChartPoint[], window: number | null): HTMLElement {
  const last = points.at(-1)?.y ?? 0;
  const of = window === null ? '' : ` of ${formatCount(window)}`;
  const share = window === null || window === 0 ? '' : ` (${Math.round((100 * last) / window)} %)`;
  return chartView({
    title: 'Context used per request',
    summary: `Context over ${formatPlural(points.length, 'request')}: now ${formatCount(last)}${of} tokens${share}.`,
    points,
    limit: window,
    format: (value) => formatCount(value) + (value === last ? `${of}${share}` : ''),
    unit: 'Tokens',
  });
}

function speedChart(points: readonly ChartPoint[]): HTMLElement {
  const speeds = points.map(({ y }) => y);
  const format = (value: number): string => `${Math.round(value)} tok/s`;
  return chartView({
    title: 'Speed of answers',
    summary: `Speed over ${formatPlural(points.length, 'request')}: from ${format(Math.min(...speeds))} to ${format(Math.max(...speeds))}.`,
    points,
    limit: null,
    format,
    unit: 'Tokens per second',
  });
}

function valuesOf(
  points: readonly RequestPoint[],
  read: (point: RequestPoint) => number | null,
): ChartPoint[] {
  return points.flatMap((point, index) => {
    const y = read(point);
    return y === null ? [] : [{ x: index + 1, y }];
  });
}
