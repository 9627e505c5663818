import type { ChangedFile, JobRecord } from '../../../src/protocol/job.ts';
import { formatPlural } from '../../../src/protocol/statusLineParts.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { card } from './card.ts';

const MAX_FILES = 500;
const LETTERS: Readonly<Record<ChangedFile['change'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'X',
  type: 'T',
  submodule: 'S',
  ignored: 'I',
  nested: 'N',
};

/** The files that the job changed; each opens its diff. */
export class ChangesPart {
  readonly element: HTMLElement;
  readonly #onOpen: (path: string) => void;
  readonly #summary = el('p', { class: 'summary' });
  readonly #list = el('ul', { class: 'files' });
  #shown = '';

  constructor(onOpen: (path: string) => void) {
    this.#onOpen = onOpen;
    this.element = card('changes', 'Changes', this.#summary, this.#list);
  }

  show({ filesChanged, review, finishedAt }: JobRecord): void {
    const signature = JSON.stringify([filesChanged, review, finishedAt === null]);
    if (signature === this.#shown) return;
    this.#shown = signature;
    this.#summary.textContent = summaryOf(filesChanged, finishedAt !== null);
    this.#list.replaceChildren(
      ...filesChanged
        .slice(0, MAX_FILES)
        .map((file) => this.#row(file, decisionOf(file.path, review))),
    );
  }

  #row(file: ChangedFile, decision: string): HTMLElement {
    const { path, oldPath, change } = file;
    const what = oldPath !== null && oldPath !== path ? `${change} from ${oldPath}` : change;
    return el(
      'li',
      {},
      el(
        'button',
        {
          class: `file ${change}`,
          title: `Open the diff of ${path} (${what})`,
          attrs: { type: 'button' },
          onClick: () => this.#onOpen(path),
        },
        el('span', { class: 'letter', text: LETTERS[change], attrs: { 'aria-hidden': 'true' } }),
        el('span', { class: 'path', text: path }),
        el('span', { class: 'visually-hidden', text: `, ${what}` }),
        countView(file),
        decision === ''
          ? null
          : el(
              'span',
              { class: 'decision' },
              icon(decision === 'accepted' ? 'check' : 'close'),
              decision,
            ),
      ),
    );
  }
}

function countView({ additions, deletions, binary }: ChangedFile): HTMLElement | null {
  if (binary) return el('span', { class: 'counts', text: 'binary' });
  if (additions === null && deletions === null) return null;
  return el(
    'span',
    { class: 'counts' },
    el('span', { class: 'added-lines', text: `+${additions ?? 0}` }),
    ' ',
    el('span', { class: 'deleted-lines', text: `−${deletions ?? 0}` }),
  );
}

function decisionOf(path: string, { status, files, dropped }: JobRecord['review']): string {
  if (dropped.includes(path) || status === 'rejected') return 'rejected';
  return files.includes(path) ? 'accepted' : '';
}

function summaryOf(files: readonly ChangedFile[], isOver: boolean): string {
  if (files.length === 0) return isOver ? 'No file was changed.' : 'Listed when the job has ended.';
  const sum = (of: (file: ChangedFile) => number | null): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0);
  const more = files.length > MAX_FILES ? `, the first ${MAX_FILES} are shown` : '';
  return `${formatPlural(files.length, 'file')} +${sum((file) => file.additions)} −${sum((file) => file.deletions)}${more}`;
}
