import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import type { AcceptResult } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import { choose } from './choose.ts';
import { ConflictSession } from './conflictList.ts';
import type { Conflicts } from './conflicts.ts';
import type { DirtyPaths } from './dirtyPaths.ts';
import type { EditedFiles } from './editedFiles.ts';
import { hasDiff, type ReviewFile } from './changeNotes.ts';
import type { ReviewStates } from './reviewStates.ts';
import { counted, gateQuestion, withoutIcons } from './reviewWords.ts';
import { saveReviewEdits, settleTargets } from './unsavedFiles.ts';

export interface AcceptFlowParts {
  readonly link: Pick<BridgeLink, 'call' | 'tryCall'>;
  readonly states: ReviewStates;
  readonly edited: EditedFiles;
  readonly dirtyPaths: DirtyPaths;
  readonly conflicts: Conflicts;
  /** The job has another state now: something of it was taken. */
  readonly accepted: (jobId: string, result: AcceptResult) => Promise<void>;
  /** Runs the job's gate again; the record knows what it said. */
  readonly runGate: (jobId: string) => PromiseLike<unknown>;
}

/**
 * Taking changes into the checkout as a person presses it: what is unsaved is asked about, a gate that did not pass is said once, and
 * conflicts are settled one by one before anything is written.
 */
export class AcceptFlow {
  readonly #parts: AcceptFlowParts;
  /** The verdicts that the person has been told and has accepted all the same. */
  readonly #told = new Map<string, string>();

  constructor(parts: AcceptFlowParts) {
    this.#parts = parts;
  }

  /** Takes these files, or all that nobody has decided about. Answers whether it was done. */
  async accept(jobId: string, paths: readonly string[] | 'all'): Promise<boolean> {
    const { states, dirtyPaths } = this.#parts;
    const isChosen = (path: string) => paths === 'all' || paths.includes(path);
    if (!(await saveReviewEdits(jobId, isChosen))) return false;
    states.forget(jobId);
    const review = await states.get(jobId);
    const files = review.files.filter((file) =>
      paths === 'all' ? isTakable(file) : paths.includes(file.path),
    );
    if (files.length === 0) {
      // The engine knows best why there is nothing to take.
      const answer = await this.#parts.link.call('accept_job', {
        jobId,
        ...(paths === 'all' ? {} : { files: [...paths] }),
      });
      await this.#parts.accepted(jobId, answer.result);
      return true;
    }
    // What a job did in the folder itself is there already: nothing is written.
    const isInPlace = (await states.record(jobId)).isolation === 'none';
    const left = isInPlace ? [] : await settleTargets(review.repoRoot ?? '', files);
    if (left === null) return false;
    if (!(await this.#mayAccept(jobId))) return false;
    await dirtyPaths.flush();
    const chosen = files.map((file) => file.path).filter((path) => !left.includes(path));
    return this.take(new ConflictSession(jobId, chosen));
  }

  /** Takes what is decided in this session; asks about the conflicts that are left. */
  async take(session: ConflictSession): Promise<boolean> {
    const { link, conflicts, accepted } = this.#parts;
    const { jobId } = session;
    const files = session.takable;
    if (files.length === 0) {
      conflicts.end(session);
      return false;
    }
    const outcome = await link.tryCall('accept_job', {
      jobId,
      files,
      ...(this.#told.has(jobId) ? { acceptGateFailure: true } : {}),
      resolved: [...session.resolved].map(([path, contentBase64]) => ({ path, contentBase64 })),
    });
    if (outcome.isOk) {
      conflicts.end(session);
      await accepted(jobId, outcome.answer.result);
      return true;
    }
    const { failure, answer } = outcome;
    if (answer.result?.status === 'refused') {
      session.conflicts = answer.result.conflicts;
      return conflicts.settle(session, this);
    }
    throw new BridgeError(failure.kind as ErrorKind, failure.message, { hint: failure.hint });
  }

  /** False when the person would rather look again. */
  async #mayAccept(jobId: string): Promise<boolean> {
    const { link, edited, runGate } = this.#parts;
    for (;;) {
      // As it is now: a list of jobs may not have heard of a new verdict yet.
      const { job } = await link.call('job_status', { jobId });
      const question = gateQuestion(job, edited.of(jobId).count);
      if (question === null || this.#told.get(jobId) === question.key) return true;
      const answer = await choose(withoutIcons(question.question), withoutIcons(question.detail), [
        { label: 'Accept all the same', detail: 'Undo Accept takes it back.', value: 'accept' },
        {
          label: job.gate === null ? 'Run a gate first…' : 'Run the gate again first',
          value: 'gate',
        },
      ] as const);
      if (answer === 'gate') {
        await runGate(jobId);
        continue;
      }
      if (answer === 'accept') this.#told.set(jobId, question.key);
      return answer === 'accept';
    }
  }
}

/** What "all" means: open changes, without what is only taken when it is named. */
function isTakable(file: ReviewFile): boolean {
  return file.decision === 'open' && hasDiff(file);
}

/** What was taken, in a few words. */
export function acceptedWords({ status, applied, conflicts }: AcceptResult): string {
  if (status === 'nothing') return 'Your checkout has these changes already.';
  const merged = applied.filter(({ how }) => how === 'merged').length;
  const parts = [`Accepted ${counted(applied.length, 'file')}`];
  if (merged > 0) parts.push(`${merged} merged with your changes`);
  if (conflicts.length > 0) parts.push(`${counted(conflicts.length, 'conflict')} left for later`);
  return `${parts.join(', ')}. Undo Accept takes it back.`;
}
