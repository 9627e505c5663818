import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { atomicWrite } from '../config/atomicWrite.ts';
import type { WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { createJobDir, jobDir } from './jobs/jobPaths.ts';
import type { StoredJob } from './jobs/jobRow.ts';
import type { Git } from './worktrees/gitRunner.ts';
import {
  captureRepository,
  restoreRepository,
  type RepositoryState,
} from './worktrees/repoGuard.ts';
import { readMarker } from './worktrees/worktreeMarker.ts';

/** In the folder of a running job, for whoever settles it when its process is killed. */
const FILE = 'repository.json';

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
    const { id, isolation } = job.record;
    if (repoRoot === null || isolation === 'none') return null;
    const git = await context.git();
    const before = await captureRepository(git, repoRoot);
    const file = join(createJobDir(context.stateDir, id), FILE);
    // Whole or not at all: the process may be killed at any moment, and who settles it reads this.
    atomicWrite(file, JSON.stringify(before), 0o600);
    return new RepositoryWatch(context, git, before, id);
  }

  /** What a job whose process is gone had kept; null when it had not come so far, or was settled. */
  static async ofDeadJob(context: BridgeContext, jobId: string): Promise<RepositoryWatch | null> {
    const file = join(jobDir(context.stateDir, jobId), FILE);
    if (!existsSync(file)) return null;
    // Written by this program in a folder of mode 0700.
    const before = JSON.parse(readFileSync(file, 'utf8')) as RepositoryState;
    return new RepositoryWatch(context, await context.git(), before, jobId);
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
    this.forget();
    return { tampered: report.restored, warnings: report.unsure };
  }

  forget(): void {
    rmSync(join(jobDir(this.#context.stateDir, this.#jobId), FILE), { force: true });
  }
}
