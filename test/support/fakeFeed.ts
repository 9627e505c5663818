import assert from 'node:assert/strict';
import { groupOf } from '../../src/protocol/jobGroup.ts';
import type { FeedJob, UiAnswer, UiArgs } from '../../src/protocol/ui/uiTools.ts';
import { CREATED_AT, feedJob, reviewJob, runningJob } from './feedJob.ts';

export type JobPhase = 'queued' | 'running' | 'review' | 'finished';

/** Jobs as the store keeps them, and the answers of `job_feed` about them. */
export class FakeFeed {
  readonly #jobs = new Map<number, { job: FeedJob; revision: number }>();
  #revision = 0;
  #seq = 0;

  add(phase: JobPhase = 'finished', repoRoot = '/repo'): number {
    const seq = ++this.#seq;
    this.#put(seq, jobIn(phase, seq, repoRoot, 0));
    return seq;
  }

  /** One more event of the job, or another phase. */
  change(seq: number, phase?: JobPhase): void {
    const known = this.#jobs.get(seq)?.job;
    assert.ok(known);
    const next = phase ?? phaseOf(known);
    this.#put(seq, jobIn(next, seq, known.repoRoot ?? '', known.toolCalls + 1));
  }

  remove(seq: number): void {
    assert.ok(this.#jobs.delete(seq));
  }

  get seqs(): number[] {
    return [...this.#jobs.keys()];
  }

  jobs(repoRoots: readonly string[] | null): FeedJob[] {
    return [...this.#jobs.values()]
      .map(({ job }) => job)
      .filter((job) => repoRoots === null || repoRoots.includes(job.repoRoot ?? ''))
      .sort((a, b) => b.seq - a.seq);
  }

  answer(args: UiArgs<'job_feed'>): UiAnswer<'job_feed'> {
    const all = this.jobs(args.folders ?? null);
    const finished = all.filter((job) => groupOf(job) === 'finished');
    const limit = args.limit ?? 50;
    const { since, before } = args;
    const jobs =
      since !== undefined
        ? all.filter(({ seq }) => (this.#jobs.get(seq)?.revision ?? 0) > since)
        : before !== undefined
          ? finished.filter(({ seq }) => seq < before).slice(0, limit)
          : all.filter((job) => groupOf(job) !== 'finished' || finished.indexOf(job) < limit);
    return {
      revision: this.#revision,
      jobs: structuredClone(jobs),
      finishedTotal: finished.length,
      total: all.length,
    };
  }

  #put(seq: number, job: FeedJob): void {
    this.#revision += 1;
    this.#jobs.set(seq, { job, revision: this.#revision });
  }
}

function jobIn(phase: JobPhase, seq: number, repoRoot: string, toolCalls: number): FeedJob {
  const own = { id: `job-${seq}`, task: `Job ${seq}`, seq, repoRoot, toolCalls };
  switch (phase) {
    case 'queued':
      return feedJob(own);
    case 'running':
      return runningJob(own);
    case 'review':
      return reviewJob(own);
    case 'finished':
      return reviewJob({
        ...own,
        review: { status: 'accepted', by: 'person:vscode', at: CREATED_AT, files: [], dropped: [] },
      });
  }
}

function phaseOf(job: FeedJob): JobPhase {
  const group = groupOf(job);
  return group === 'waiting' ? 'queued' : group;
}
