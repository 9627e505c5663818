import { basename } from 'node:path';
import type { WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import type { StoredJob } from '../bridge/jobs/jobStore.ts';
import type { Git } from '../bridge/worktrees/gitRunner.ts';
import {
  captureRepository,
  restoreRepository,
  type RepositoryState,
} from '../bridge/worktrees/repoGuard.ts';
import { readMarker } from '../bridge/worktrees/worktreeMarker.ts';

/** The user's repository before and after a job: what the job touched of it is put back and reported as `tampered`. */
export class RepositoryWatch {
  readonly #context: BridgeContext;
  readonly #git: Git;
  readonly #before: RepositoryState;
  readonly #jobId: string;

  private constructor(context: BridgeContext, git: Git, before: RepositoryState, jobId: string) {
    this.#context = context;
    this.#git = git;
    this.#before = before;
    this.#jobId = jobId;
  }

  /** Null for a job outside git, and for one in the checkout itself, whose repository is its to change. */
  static async start(context: BridgeContext, job: StoredJob): Promise<RepositoryWatch | null> {
    const { repoRoot } = job.spec;
    if (repoRoot === null || job.record.isolation === 'none') return null;
    const git = await context.git();
    return new RepositoryWatch(context, git, await captureRepository(git, repoRoot), job.record.id);
  }

  /** After the job's processes are gone and before its tree is removed or listed. */
  async finish(tree: WorktreeRecord): Promise<{ tampered: string[]; warnings: string[] }> {
    const marker = await readMarker(tree.root);
    const report = await restoreRepository(this.#git, this.#before, {
      jobId: this.#jobId,
      ownBranch: tree.branch ?? '',
      worktreeId: basename(marker?.gitDir ?? tree.root),
      keepDir: jobDir(this.#context.stateDir, this.#jobId),
      stateDir: this.#context.stateDir,
    });
    return { tampered: report.restored, warnings: report.unsure };
  }
}
