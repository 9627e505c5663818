import { groupOf } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { FileChange } from './rows/fileRow.ts';

export interface FilesOfJob {
  readonly files: readonly FileChange[];
  /** Whether there is still something to decide about them. */
  readonly isOpen: boolean;
  /** Why there is nothing to decide; null when there is. */
  readonly note: string | null;
}

interface Known {
  /** The record that it belongs to: with another record it is asked anew. */
  readonly job: FeedJob;
  readonly answer: Promise<FilesOfJob>;
}

/**
 * The changed files of jobs. Of a job that waits for its review they are read from its worktree when somebody looks, since people edit
 * there; of one that is decided they are what the record says.
 */
export class JobFiles {
  readonly #link: Pick<BridgeLink, 'call'>;
  readonly #onDidLoad: (jobId: string) => void;
  readonly #known = new Map<string, Known>();
  readonly #loaded = new Map<string, FilesOfJob>();

  constructor(link: Pick<BridgeLink, 'call'>, onDidLoad: (jobId: string) => void) {
    this.#link = link;
    this.#onDidLoad = onDidLoad;
  }

  /**
   * @throws BridgeError what the server says; the next call asks again
   */
  async of(job: FeedJob): Promise<FilesOfJob> {
    if (groupOf(job) !== 'review') return decidedFiles(job);
    const known = this.#known.get(job.id);
    if (known?.job === job) return known.answer;
    const answer = this.#ask(job);
    this.#known.set(job.id, { job, answer });
    return answer;
  }

  /** What was loaded last; null when nobody has looked. */
  file(jobId: string, path: string): FileChange | null {
    return this.#loaded.get(jobId)?.files.find((file) => file.path === path) ?? null;
  }

  /** Forgets everything: a worktree may have changed without its record. */
  clear(): void {
    this.#known.clear();
  }

  async #ask(job: FeedJob): Promise<FilesOfJob> {
    try {
      const { files, note } = await this.#link.call('review_job', { jobId: job.id });
      const answer = { files, isOpen: true, note };
      this.#loaded.set(job.id, answer);
      this.#onDidLoad(job.id);
      return answer;
    } catch (error) {
      if (this.#known.get(job.id)?.job === job) this.#known.delete(job.id);
      throw error;
    }
  }
}

function decidedFiles({ filesChanged, review }: FeedJob): FilesOfJob {
  const taken = new Set(review.files);
  const dropped = new Set(review.dropped);
  const decisionOf = (path: string): FileChange['decision'] => {
    if (review.status === 'rejected' || dropped.has(path)) return 'dropped';
    return taken.has(path) ? 'taken' : 'open';
  };
  return {
    files: filesChanged.map((file) => ({ ...file, decision: decisionOf(file.path) })),
    isOpen: false,
    note: null,
  };
}
