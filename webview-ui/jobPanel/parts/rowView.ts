import { formatDuration } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import type { TimelineItem } from '../events/timelineItem.ts';
import { absoluteTime } from '../../facts/relativeTime.ts';

interface RowContext {
  /** All that was said, not one line of it. */
  readonly isTranscript: boolean;
  readonly isOpen: boolean;
  readonly turn: number | null;
  /** When the job started: rows tell how long after that they were. */
  readonly startedAt: string | null;
  readonly isLive: boolean;
  readonly onToggle: () => void;
}

const TOOL_ICONS: Readonly<Record<string, string>> = {
  Bash: 'terminal',
  Read: 'file',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'new-file',
  NotebookEdit: 'notebook',
  Glob: 'files',
  Grep: 'search',
  WebFetch: 'globe',
  WebSearch: 'globe',
  Task: 'organization',
  Agent: 'organization',
  TodoWrite: 'checklist',
};

/** One row of the timeline. Whatever a model, a tool or a server said is a text node. */
export function rowView(item: TimelineItem, context: RowContext): HTMLElement {
  const hasDetail = detailOf(item).length > 0;
  const classes = ['row', item.kind, toneOf(item, context), item.isNested ? 'nested' : ''];
  const line = el(
    'div',
    { class: 'row-line' },
    turnView(context.turn),
    timeView(item.at, context.startedAt),
    icon(iconOf(item, context), 'row-icon'),
    textView(item, context),
    endView(item, context),
    hasDetail ? toggleView(context) : null,
  );
  if (hasDetail)
    line.addEventListener('click', () => {
      // Who selects text does not want it to jump away.
      if (getSelection()?.isCollapsed !== false) context.onToggle();
    });
  const row = el(
    'article',
    {
      class: classes.filter((each) => each !== '').join(' '),
      attrs: { 'aria-label': labelOf(item, context) },
    },
    line,
  );
  if (context.isOpen)
    for (const [name, text] of detailOf(item))
      row.append(
        el(
          'div',
          { class: 'row-detail' },
          name === '' ? null : el('div', { class: 'detail-name', text: name }),
          el('pre', { text }),
        ),
      );
  return row;
}

/** The row as text, to copy. */
export function rowText(item: TimelineItem): string {
  const head = item.kind === 'call' ? `${item.name} ${item.subject}`.trim() : item.text;
  return [head, ...detailOf(item).map(([, text]) => text)].filter((part) => part !== '').join('\n');
}

function detailOf(item: TimelineItem): readonly (readonly [name: string, text: string])[] {
  switch (item.kind) {
    case 'said':
    case 'thought':
      return [];
    case 'mark':
      return item.detail === '' ? [] : [['', item.detail]];
    case 'call': {
      const details: (readonly [string, string])[] = [];
      if (item.input !== '' && item.input !== '{}') details.push(['Asked', item.input]);
      if (item.result !== null && item.result.text !== '')
        details.push([item.result.isError ? 'Error' : 'Answer', item.result.text]);
      return details;
    }
  }
}

function textView(item: TimelineItem, { isTranscript }: RowContext): HTMLElement {
  if (item.kind === 'call')
    return el(
      'span',
      { class: 'row-text', title: item.subject },
      el('span', { class: 'tool', text: item.name }),
      ' ',
      el('span', { class: 'subject', text: item.subject }),
    );
  const text = isTranscript ? item.text : item.text.replace(/\s+/g, ' ').trim();
  return el('span', { class: 'row-text', text: isTranscript ? text : text.slice(0, 400) });
}

function endView(item: TimelineItem, { isLive }: RowContext): HTMLElement | null {
  if (item.kind !== 'call') return null;
  if (item.result === null)
    return isLive
      ? el('span', { class: 'row-end', text: 'running' })
      : el('span', { class: 'row-end', text: 'no answer' });
  if (item.result.exit !== null)
    return el('span', { class: 'row-end bad', text: `exit ${item.result.exit}` });
  if (item.result.isError) return el('span', { class: 'row-end bad', text: 'failed' });
  return item.name === 'Bash' ? el('span', { class: 'row-end', text: 'exit 0' }) : null;
}

function toggleView({ isOpen, onToggle }: RowContext): HTMLElement {
  return el(
    'button',
    {
      class: 'row-toggle',
      title: isOpen ? 'Hide the details' : 'Show the details',
      attrs: {
        'aria-expanded': String(isOpen),
        'aria-label': 'Details',
        tabindex: '-1',
        type: 'button',
      },
      onClick: (event) => {
        event.stopPropagation();
        onToggle();
      },
    },
    icon(isOpen ? 'chevron-up' : 'chevron-down'),
  );
}

function turnView(turn: number | null): HTMLElement {
  if (turn === null) return el('span', { class: 'row-turn' });
  return el(
    'span',
    { class: 'row-turn', title: `Turn ${turn}` },
    el('span', { class: 'word', text: 'Turn ' }),
    String(turn),
  );
}

function timeView(at: string | null, startedAt: string | null): HTMLElement {
  if (at === null) return el('span', { class: 'row-time' });
  const seconds = startedAt === null ? NaN : (Date.parse(at) - Date.parse(startedAt)) / 1000;
  return el('time', {
    class: 'row-time',
    title: absoluteTime(at),
    text: Number.isNaN(seconds) ? '' : formatDuration(seconds),
    attrs: { datetime: at },
  });
}

function iconOf(item: TimelineItem, { isLive }: RowContext): string {
  switch (item.kind) {
    case 'said':
      return 'comment';
    case 'thought':
      return 'lightbulb';
    case 'mark':
      return item.icon;
    case 'call':
      if (item.result === null && isLive) return 'loading';
      return TOOL_ICONS[item.name] ?? 'symbol-method';
  }
}

function toneOf(item: TimelineItem, { isLive }: RowContext): string {
  if (item.kind === 'mark') return `tone-${item.tone}`;
  if (item.kind !== 'call') return '';
  if (item.result === null) return isLive ? 'tone-live' : 'tone-quiet';
  return item.result.isError ? 'tone-bad' : '';
}

/** What a screen reader says at a row: what it is, before its words. */
function labelOf(item: TimelineItem, context: RowContext): string {
  const turn = context.turn === null ? '' : `Turn ${context.turn}. `;
  switch (item.kind) {
    case 'said':
      return `${turn}The model said: ${item.text.slice(0, 200)}`;
    case 'thought':
      return `${turn}The model thought: ${item.text.slice(0, 200)}`;
    case 'mark':
      return item.text;
    case 'call':
      return `${turn}${item.name} ${item.subject.slice(0, 200)}, ${endOf(item.result, context.isLive)}`;
  }
}

function endOf(result: Extract<TimelineItem, { kind: 'call' }>['result'], isLive: boolean): string {
  if (result === null) return isLive ? 'running' : 'no answer';
  if (result.exit !== null) return `exit ${result.exit}`;
  return result.isError ? 'failed' : 'done';
}
