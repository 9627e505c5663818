import type { JobRecord } from '../../src/protocol/job.ts';
import { jobFace } from '../../src/protocol/jobPanel/jobFace.ts';
import { fromWire } from '../../src/protocol/keys.ts';
import {
  panelMessageSchema,
  panelStateSchema,
  type PageMessage,
  type PanelState,
} from '../../src/protocol/jobPanel/panelMessages.ts';
import type * as z from 'zod';
import { el } from '../dom/el.ts';
import { setText } from '../dom/setText.ts';
import type { VsCodeApi } from '../vscodeApi.ts';
import { isLive } from './facts/isLive.ts';
import { ChangesPart } from './parts/changesPart.ts';
import { ChartsPart } from './parts/chartsPart.ts';
import { GatePart } from './parts/gatePart.ts';
import { HeaderPart } from './parts/headerPart.ts';
import { NoticesPart } from './parts/noticesPart.ts';
import { ReceiptPart } from './parts/receiptPart.ts';
import { ReportPart } from './parts/reportPart.ts';
import { ResumePart } from './parts/resumePart.ts';
import { StepsPart } from './parts/stepsPart.ts';

type Message = z.output<typeof panelMessageSchema>;
type Trouble = Extract<Message, { type: 'trouble' }>['trouble'];

const TICK_MS = 1000;

/** The page of one job: it is told what is so, and says what a person wants. It keeps nothing but where its reader was. */
export class JobPage {
  readonly #api: VsCodeApi<PageMessage, PanelState>;
  #state: PanelState;
  #job: JobRecord | null = null;
  #queuePosition: number | null = null;
  #isTrusted = true;
  #spoken = '';
  readonly #header: HeaderPart;
  readonly #steps: StepsPart;
  readonly #resume: ResumePart;
  readonly #changes: ChangesPart;
  readonly #gate: GatePart;
  readonly #notices = new NoticesPart();
  readonly #receipt = new ReceiptPart();
  readonly #report = new ReportPart();
  readonly #charts = new ChartsPart();
  readonly #trouble = el('div', { class: 'trouble', attrs: { role: 'alert' } });
  readonly #voice = el('div', { class: 'visually-hidden', attrs: { role: 'status' } });

  constructor(api: VsCodeApi<PageMessage, PanelState>, jobId: string) {
    this.#api = api;
    const kept = panelStateSchema.safeParse(api.getState());
    this.#state = kept.success
      ? { ...kept.data, jobId }
      : { jobId, mode: 'timeline', draft: '', place: null };
    this.#header = new HeaderPart({
      onAct: (action) => api.postMessage({ type: 'act', action }),
      onOpenJob: (id) => api.postMessage({ type: 'openJob', jobId: id }),
    });
    this.#steps = new StepsPart({
      onMode: (mode) => this.#keep({ mode }),
      onLoadEarlier: (before) => api.postMessage({ type: 'loadEarlier', before }),
      onOpenLog: () => api.postMessage({ type: 'openLogFile', what: 'transcript' }),
      onPlace: (place) => this.#keep({ place }),
    });
    this.#resume = new ResumePart({
      draft: this.#state.draft,
      onDraft: (draft) => this.#keep({ draft }),
      onResume: (message) => api.postMessage({ type: 'act', action: 'resumeJob', message }),
    });
    this.#changes = new ChangesPart((path) => api.postMessage({ type: 'openChange', path }));
    this.#gate = new GatePart(() => api.postMessage({ type: 'openLogFile', what: 'gate' }));
  }

  start(): void {
    this.#trouble.hidden = true;
    document.body.append(
      this.#voice,
      this.#header.element,
      this.#trouble,
      el(
        'main',
        {},
        el('div', { class: 'left' }, this.#steps.element, this.#resume.element),
        el(
          'aside',
          { class: 'right', attrs: { 'aria-label': 'Receipt and result' } },
          ...[
            this.#notices,
            this.#gate,
            this.#changes,
            this.#report,
            this.#receipt,
            this.#charts,
          ].map(({ element }) => element),
        ),
      ),
    );
    this.#steps.setMode(this.#state.mode);
    addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#onMessage(data));
    document.addEventListener('securitypolicyviolation', (event) =>
      this.#api.postMessage({
        type: 'blocked',
        directive: event.effectiveDirective.slice(0, 200),
        uri: event.blockedURI.slice(0, 1000),
      }),
    );
    setInterval(() => this.#tick(), TICK_MS);
    this.#keep({});
    this.#api.postMessage({ type: 'ready' });
  }

  #onMessage(data: unknown): void {
    const parsed = panelMessageSchema.safeParse(data);
    // VS Code itself also posts to its webviews; what is none of ours is none of our business.
    if (parsed.success) this.#take(parsed.data);
  }

  #take(message: Message): void {
    switch (message.type) {
      case 'show':
        this.#steps.setMode(message.mode);
        this.#keep({ mode: message.mode });
        break;
      case 'trust':
        this.#isTrusted = message.isTrusted;
        this.#show();
        break;
      case 'record':
        this.#queuePosition = message.queuePosition;
        this.#job = { ...this.#job, ...(fromWire(message.fields) as JobRecord) };
        this.#show();
        break;
      case 'log':
        this.#addLog(message);
        break;
      case 'caughtUp':
        if (message.what === 'events') this.#steps.caughtUp(this.#state.place);
        else this.#show();
        break;
      case 'trouble':
        this.#showTrouble(message.trouble);
        break;
    }
  }

  #addLog({ what, text, offset, place }: Extract<Message, { type: 'log' }>): void {
    switch (what) {
      case 'events':
        this.#steps.addLog(text, offset, place);
        break;
      case 'requests':
        this.#charts.addLog(text, place);
        break;
      case 'gate':
        this.#gate.addLog(text, place);
        break;
    }
  }

  #show(): void {
    const job = this.#job;
    if (job === null) return;
    this.#header.show(job, this.#queuePosition, this.#isTrusted);
    this.#steps.setJob(job);
    this.#resume.show(job, this.#isTrusted);
    for (const part of [
      this.#notices,
      this.#gate,
      this.#changes,
      this.#report,
      this.#receipt,
      this.#charts,
    ])
      part.show(job);
    const { words } = jobFace(job);
    // Only another state is spoken: not each step, nor what was there when the page opened.
    if (this.#spoken !== '' && this.#spoken !== words) setText(this.#voice, `${words}.`);
    this.#spoken = words;
  }

  #tick(): void {
    if (this.#job === null || document.hidden) return;
    if (isLive(this.#job)) this.#header.tick(this.#job, this.#queuePosition);
    this.#receipt.show(this.#job);
  }

  #showTrouble(trouble: Trouble): void {
    this.#trouble.hidden = trouble === null;
    document.body.classList.toggle('gone', trouble?.isGone === true && this.#job === null);
    setText(
      this.#trouble,
      trouble === null
        ? ''
        : [trouble.message, trouble.hint].filter((part) => part !== '').join(' '),
    );
  }

  #keep(change: Partial<PanelState>): void {
    const next = { ...this.#state, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.#state) && Object.keys(change).length > 0)
      return;
    this.#state = next;
    this.#api.setState(next);
  }
}
