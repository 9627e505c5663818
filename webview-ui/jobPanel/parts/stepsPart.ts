import type { JobRecord } from '../../../src/protocol/job.ts';
import { formatPlural } from '../../../src/protocol/statusLineParts.ts';
import type { PanelMode } from '../../../src/protocol/jobPanel/panelTerms.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { VirtualList } from '../dom/virtualList.ts';
import { Timeline } from '../events/timeline.ts';
import type { TimelineItem } from '../events/timelineItem.ts';
import { isLive } from '../facts/isLive.ts';
import { rowText, rowView } from './rowView.ts';

interface StepsOptions {
  readonly onMode: (mode: PanelMode) => void;
  readonly onLoadEarlier: (before: number) => void;
  readonly onOpenLog: () => void;
  /** The number of the event at the top; null while the newest are followed. */
  readonly onPlace: (seq: number | null) => void;
}

const ROW_PX: Readonly<Record<PanelMode, number>> = { timeline: 26, transcript: 64 };

/** The left side: what happened, as one line each or in full, with the newest in sight until the reader scrolls up. */
export class StepsPart {
  readonly element: HTMLElement;
  readonly #options: StepsOptions;
  readonly #timeline = new Timeline();
  readonly #list: VirtualList<TimelineItem>;
  readonly #empty = el('p', { class: 'empty' });
  readonly #modes: Readonly<Record<PanelMode, HTMLButtonElement>>;
  readonly #earlier: HTMLButtonElement;
  readonly #follow: HTMLButtonElement;
  readonly #followText = el('span');
  readonly #feed: HTMLElement;
  /** Rows that are the other way than their view shows them by itself. */
  readonly #toggled = new Set<number>();
  #turns: ReadonlyMap<number, number> = new Map();
  #job: JobRecord | null = null;
  #mode: PanelMode = 'timeline';
  #isLoadingEarlier = false;
  #isCaughtUp = false;
  /** Where the reader is to be brought once that is loaded. */
  #place: number | null = null;
  #lastSeenId = -1;
  #frame: number | null = null;

  constructor(options: StepsOptions) {
    this.#options = options;
    this.#modes = {
      timeline: this.#modeButton('timeline', 'Timeline', 'list-tree'),
      transcript: this.#modeButton('transcript', 'Transcript', 'comment-discussion'),
    };
    this.#earlier = el(
      'button',
      { class: 'link', attrs: { type: 'button' }, onClick: () => this.#loadEarlier() },
      'Load earlier',
    );
    this.#earlier.hidden = true;
    this.#follow = el(
      'button',
      { class: 'follow', attrs: { type: 'button' }, onClick: () => this.#list.follow() },
      icon('arrow-down'),
      this.#followText,
    );
    this.#follow.hidden = true;
    this.#feed = el('div', {
      class: 'feed',
      attrs: { role: 'feed', 'aria-label': 'What happened', 'aria-busy': 'true' },
    });
    this.element = el(
      'section',
      { class: 'steps', attrs: { 'aria-labelledby': 'steps-title' } },
      el('h2', { class: 'visually-hidden', text: 'What happened', attrs: { id: 'steps-title' } }),
      el(
        'div',
        { class: 'steps-bar' },
        el(
          'div',
          { class: 'modes', attrs: { role: 'group', 'aria-label': 'How it is shown' } },
          this.#modes.timeline,
          this.#modes.transcript,
        ),
        this.#earlier,
        el('button', {
          class: 'link open-log',
          text: 'Open as text',
          title: 'The whole transcript in an editor: to search, copy or save',
          attrs: { type: 'button' },
          onClick: () => options.onOpenLog(),
        }),
      ),
      el('div', { class: 'feed-frame' }, this.#empty, this.#feed, this.#follow),
    );
    this.#list = new VirtualList<TimelineItem>({
      scroller: this.#feed,
      estimate: () => ROW_PX[this.#mode],
      keyOf: ({ id }) => id,
      render: (item) => this.#row(item),
      onActivate: (item) => this.#toggle(item),
      onFollow: () => this.#showFollow(),
    });
    this.#feed.addEventListener('copy', (event) => this.#onCopy(event));
    this.#feed.addEventListener('scroll', () => this.#tellPlace(), { passive: true });
    this.#showMode();
  }

  get mode(): PanelMode {
    return this.#mode;
  }

  setMode(mode: PanelMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#toggled.clear();
    this.#showMode();
    this.#list.redraw();
  }

  setJob(job: JobRecord): void {
    const before = this.#job;
    this.#job = job;
    if (before === null || isLive(before) !== isLive(job) || before.startedAt !== job.startedAt)
      this.#list.redraw();
    this.#showEmpty();
    this.#showFollow();
  }

  addLog(text: string, offset: number, place: 'new' | 'end' | 'start'): void {
    if (place === 'new') this.#timeline.restart(offset);
    else if (place === 'end') this.#timeline.append(text, offset);
    else {
      this.#isLoadingEarlier = false;
      this.#timeline.prepend(text, offset);
      if (this.#place !== null) this.#toPlace(this.#place);
    }
    this.#frame ??= requestAnimationFrame(() => this.#show());
  }

  /** All of the log is here. `place`: where the reader was before the page was hidden. */
  caughtUp(place: number | null): void {
    if (this.#isCaughtUp) return;
    this.#isCaughtUp = true;
    this.#show();
    this.#feed.setAttribute('aria-busy', 'false');
    if (place === null) this.#list.follow();
    else this.#toPlace(place);
  }

  /** To the row that was at the top before the page was hidden; what lies before the window is loaded up to there. */
  #toPlace(place: number): void {
    const { items, earlierEnd, isFull } = this.#timeline;
    const index = items.findIndex(({ seq }) => seq !== null && seq >= place);
    const isBefore = index <= 0 && (items[0]?.seq ?? 0) > place && earlierEnd > 0 && !isFull;
    this.#place = isBefore ? place : null;
    if (isBefore) {
      this.#loadEarlier();
      return;
    }
    this.#show();
    if (index >= 0) this.#list.showAt(index);
    else this.#list.follow();
  }

  #show(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#turns = this.#timeline.turns();
    this.element.dataset['turns'] = this.#turns.size > 0 ? 'known' : 'unknown';
    // A slice: the list compares what it has been given.
    this.#list.setItems([...this.#timeline.items]);
    const { earlierEnd, isFull } = this.#timeline;
    this.#earlier.hidden = earlierEnd === 0 || isFull;
    this.#earlier.disabled = this.#isLoadingEarlier;
    this.#showEmpty();
    this.#showFollow();
  }

  #row(item: TimelineItem): HTMLElement {
    return rowView(item, {
      isTranscript: this.#mode === 'transcript',
      isOpen: this.#isOpen(item),
      turn: this.#turns.get(item.id) ?? null,
      startedAt: this.#job?.startedAt ?? this.#job?.createdAt ?? null,
      isLive: this.#job !== null && isLive(this.#job),
      onToggle: () => this.#toggle(item),
    });
  }

  #isOpen(item: TimelineItem): boolean {
    return (this.#mode === 'transcript') !== this.#toggled.has(item.id);
  }

  #toggle(item: TimelineItem): void {
    if (!this.#toggled.delete(item.id)) this.#toggled.add(item.id);
    const present = this.#timeline.items.find(({ id }) => id === item.id);
    if (present !== undefined) this.#list.redrawItem(present);
  }

  #loadEarlier(): void {
    const { earlierEnd } = this.#timeline;
    if (earlierEnd === 0 || this.#isLoadingEarlier) return;
    this.#isLoadingEarlier = true;
    this.#earlier.disabled = true;
    this.#options.onLoadEarlier(earlierEnd);
  }

  #modeButton(mode: PanelMode, label: string, iconName: string): HTMLButtonElement {
    return el(
      'button',
      {
        class: 'mode',
        attrs: { type: 'button' },
        onClick: () => {
          this.setMode(mode);
          this.#options.onMode(mode);
        },
      },
      icon(iconName),
      label,
    );
  }

  #showMode(): void {
    for (const [mode, button] of Object.entries(this.#modes))
      button.setAttribute('aria-pressed', String(mode === this.#mode));
    this.element.dataset['mode'] = this.#mode;
  }

  #showEmpty(): void {
    const isEmpty = this.#timeline.items.length === 0;
    this.#empty.hidden = !isEmpty;
    if (isEmpty) setText(this.#empty, emptyText(this.#job, this.#isCaughtUp));
  }

  #showFollow(): void {
    const newest = this.#timeline.items.at(-1)?.id ?? -1;
    const isFollowing = this.#list.isFollowing;
    if (isFollowing || !this.#isCaughtUp) this.#lastSeenId = newest;
    const count = newest - this.#lastSeenId;
    this.#follow.hidden = isFollowing || this.#timeline.items.length === 0;
    const live = this.#job !== null && isLive(this.#job);
    const what = count > 0 ? formatPlural(count, 'new step') : live ? 'Follow' : 'To the end';
    setText(this.#followText, what);
    this.#tellPlace();
  }

  #tellPlace(): void {
    if (!this.#isCaughtUp || this.#place !== null) return;
    this.#options.onPlace(this.#list.isFollowing ? null : (this.#list.firstInSight?.seq ?? null));
  }

  /** Without a selection the row that has the focus is copied, in full. */
  #onCopy(event: ClipboardEvent): void {
    if (getSelection()?.isCollapsed === false) return;
    const index = Number(document.activeElement?.getAttribute('aria-posinset') ?? 0) - 1;
    const item = this.#timeline.items[index];
    if (item === undefined) return;
    event.clipboardData?.setData('text/plain', rowText(item));
    event.preventDefault();
  }
}

function emptyText(job: JobRecord | null, isCaughtUp: boolean): string {
  if (job === null || !isCaughtUp) return 'Loading…';
  switch (job.status) {
    case 'queued':
      return 'The job waits for its place. What it does will appear here.';
    case 'starting':
      return 'The job gets its worktree ready. What it does will appear here.';
    case 'running':
      return 'The first answer of the model is on its way.';
    default:
      return 'The log of this job holds no steps.';
  }
}
