import type { JobRecord } from '../../../src/protocol/job.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';

interface Notice {
  readonly tone: 'bad' | 'attention';
  readonly icon: string;
  readonly title: string;
  readonly text: string;
}

/** What must not be overlooked: another model has answered, why it failed, what was touched, warnings. First of all, and in words. */
export class NoticesPart {
  readonly element = el('div', { class: 'notices' });
  #shown = '';

  show(job: JobRecord): void {
    const notices = noticesOf(job);
    const signature = JSON.stringify(notices);
    if (signature === this.#shown) return;
    this.#shown = signature;
    this.element.replaceChildren(
      ...notices.map(({ tone, icon: iconName, title, text }) =>
        el(
          'div',
          { class: `notice tone-${tone}`, attrs: { role: 'note' } },
          icon(iconName),
          el('div', {}, el('strong', { text: title }), el('div', { class: 'notice-text', text })),
        ),
      ),
    );
  }
}

function noticesOf(job: JobRecord): Notice[] {
  const notices: Notice[] = [];
  if (job.fallback !== null) {
    notices.push({
      tone: 'attention',
      icon: 'arrow-swap',
      title: `Fallback: answered by ${job.fallback.to}, not by ${job.fallback.from}`,
      text: job.fallback.reason,
    });
  }
  if (job.failure !== null) {
    const isCancelled = job.status === 'cancelled';
    notices.push({
      tone: isCancelled ? 'attention' : 'bad',
      icon: isCancelled ? 'circle-slash' : 'error',
      title: job.failure.message,
      text: job.failure.hint,
    });
  }
  if (job.tampered.length > 0) {
    notices.push({
      tone: 'bad',
      icon: 'shield',
      title: 'The job touched the repository itself; it was put back',
      text: job.tampered.join('\n'),
    });
  }
  for (const warning of job.warnings)
    notices.push({ tone: 'attention', icon: 'warning', title: 'Warning', text: warning });
  return notices;
}
