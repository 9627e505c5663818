import { el } from '../../dom/el.ts';
import { type ChartPoint, roundUp, thinOut } from '../facts/chartScale.ts';

interface ChartOptions {
  readonly title: string;
  /** What the chart says, in one sentence: for whoever does not see it. */
  readonly summary: string;
  readonly points: readonly ChartPoint[];
  /** A line across: what cannot be gone over. */
  readonly limit: number | null;
  readonly format: (value: number) => string;
  /** Heading of the second column of the table. */
  readonly unit: string;
}

const WIDTH = 320;
const HEIGHT = 72;
const MAX_POINTS = 160;
const MAX_ROWS = 200;
const SVG = 'http://www.w3.org/2000/svg';

/** A small chart, and the same numbers as a table. */
export function chartView(options: ChartOptions): HTMLElement {
  const { title, points, limit, format, unit } = options;
  const highest = points.reduce((high, { y }) => Math.max(high, y), 0);
  const last = points.at(-1);
  return el(
    'figure',
    { class: 'chart' },
    el(
      'figcaption',
      {},
      el('span', { text: title }),
      el('span', { class: 'now', text: last === undefined ? '' : format(last.y) }),
    ),
    drawing(options, limit ?? roundUp(highest)),
    el(
      'details',
      {},
      el('summary', { text: 'As a table' }),
      el(
        'div',
        {
          class: 'table-frame',
          attrs: { tabindex: '0', role: 'region', 'aria-label': `${title}, as a table` },
        },
        tableOf(points.slice(-MAX_ROWS), unit, format),
      ),
    ),
  );
}

function drawing({ summary, points, limit }: ChartOptions, top: number): SVGElement {
  const svg = svgEl('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
  });
  const name = svgEl('title', {});
  name.textContent = summary;
  svg.append(name);
  const shown = thinOut(points, MAX_POINTS);
  const first = shown[0]?.x ?? 1;
  const span = Math.max(1, (shown.at(-1)?.x ?? 1) - first);
  const place = ({ x, y }: ChartPoint): string => {
    const left = shown.length === 1 ? WIDTH : ((x - first) / span) * WIDTH;
    return `${round(left)},${round(HEIGHT - (Math.min(y, top) / top) * (HEIGHT - 4))}`;
  };
  const line = shown.length === 1 ? [`0,${place(shown[0] as ChartPoint).split(',')[1] ?? 0}`] : [];
  line.push(...shown.map(place));
  if (line.length > 0) {
    svg.append(
      svgEl('polygon', {
        class: 'area',
        points: `0,${HEIGHT} ${line.join(' ')} ${WIDTH},${HEIGHT}`,
      }),
    );
    svg.append(svgEl('polyline', { class: 'line', points: line.join(' ') }));
  }
  const baseline = { x1: '0', x2: String(WIDTH), y1: String(HEIGHT), y2: String(HEIGHT) };
  svg.append(svgEl('line', { class: 'base', ...baseline }));
  if (limit !== null) svg.append(svgEl('line', { class: 'limit', ...baseline, y1: '4', y2: '4' }));
  return svg;
}

function tableOf(
  points: readonly ChartPoint[],
  unit: string,
  format: (value: number) => string,
): HTMLElement {
  return el(
    'table',
    {},
    el(
      'thead',
      {},
      el('tr', {}, ...['Request', unit].map((text) => el('th', { text, attrs: { scope: 'col' } }))),
    ),
    el(
      'tbody',
      {},
      ...points.map(({ x, y }) =>
        el('tr', {}, el('td', { text: String(x) }), el('td', { text: format(y) })),
      ),
    ),
  );
}

function svgEl<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attrs: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, value);
  return element;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
