import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge } from '../../src/bridge/bridge.ts';
import type { Caller } from '../../src/bridge/bridgeTypes.ts';
import { gateTreeFactKey } from '../../src/bridge/gates/gateTree.ts';
import { createJobDir } from '../../src/bridge/jobs/jobPaths.ts';
import { afterRefOf } from '../../src/bridge/jobs/jobRefs.ts';
import type { JobSpec } from '../../src/bridge/jobs/jobSpec.ts';
import { JobStore } from '../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../src/bridge/jobs/newRecord.ts';
import { listChanges } from '../../src/bridge/worktrees/changeList.ts';
import { baseRefOf } from '../../src/bridge/worktrees/createWorktree.ts';
import { snapshotFolder } from '../../src/bridge/worktrees/snapshot.ts';
import { treeHash } from '../../src/bridge/worktrees/treeHash.ts';
import { WorktreeGit } from '../../src/bridge/worktrees/worktreeGit.ts';
import type { JobRecord } from '../../src/protocol/job.ts';
import { jobWorktree } from './jobWorktree.ts';
import { type Content, tempRepo, type TempRepoOptions } from './tempRepo.ts';

export const REVIEWER: Caller = { name: 'vscode', kind: 'person', session: null, pid: process.pid };

export type ReviewWorld = ReturnType<typeof reviewWorld>;

export interface FakeJob {
  /** What the job wrote; null: deleted. */
  readonly writes?: Readonly<Record<string, Content | null>>;
  readonly record?: Partial<JobRecord>;
  /** A gate passed on the tree as it is. */
  readonly isGated?: boolean;
  /** Called in the tree after the files are written. */
  readonly more?: (root: string) => void;
}

/**
 * A repository, the real engine, and finished jobs that no model ran: their worktrees, refs and records are made as the job's own
 * process makes them. Enough for everything that comes after a job, in milliseconds.
 */
export function reviewWorld(options: TempRepoOptions & { readonly models?: string } = {}) {
  const repo = tempRepo({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' }, ...options });
  const configDir = join(repo.scratch, 'config', 'delegation-bridge');
  mkdirSync(configDir, { recursive: true });
  writeFileSync(join(configDir, 'models.yaml'), options.models ?? '{}\n');
  const env = {
    ...repo.env,
    XDG_CONFIG_HOME: join(repo.scratch, 'config'),
    DELEGATE_STATE: repo.stateDir,
    DELEGATE_TEST_ISOLATION_ROOT: repo.scratch,
  };
  const openBridge = (isRestricted = false): Bridge =>
    new Bridge({
      env,
      homeDir: repo.home,
      configFile: null,
      installation: { execPath: process.execPath, distDir: join(repo.scratch, 'no-dist') },
      isRestricted,
    });
  const bridge = openBridge();
  const store = new JobStore(repo.stateDir);
  let made = 0;

  const insert = (record: JobRecord, request: JobSpec['request']): JobRecord => {
    createJobDir(repo.stateDir, record.id);
    store.insert(record, {
      request,
      servedModel: 'm',
      pool: 'default',
      poolSlots: 6,
      endpointLimit: null,
      exclusiveGroup: null,
      alternatives: [],
      failoverSinceMs: null,
      repoRoot: repo.root,
      timeoutS: 60,
      idleTimeoutS: 60,
      configFile: null,
      resume: null,
    });
    return record;
  };
  const recordOf = (more: Partial<JobRecord>): JobRecord => {
    made += 1;
    return {
      ...newRecord({
        id: `claude-code-20260101-000000-job${made}`,
        task: 'Change something',
        runner: 'claude-code',
        client: { name: 'vscode', session: null, pid: null },
        policy: 'any',
        cwd: repo.root,
        isolation: 'worktree',
        createdAt: '2026-01-01T00:00:00.000Z',
      }),
      status: 'done',
      startedAt: '2026-01-01T00:00:01.000Z',
      finishedAt: '2026-01-01T00:01:00.000Z',
      modelServed: 'm',
      endpoint: 'e',
      ...more,
    };
  };
  const writeIn = (root: string, { writes = {}, more }: FakeJob): void => {
    for (const [name, content] of Object.entries(writes)) {
      if (content === null) rmSync(join(root, name));
      else repo.writeAt(join(root, name), content);
    }
    more?.(root);
  };

  return {
    repo,
    env,
    bridge,
    store,
    openBridge,
    insert,
    recordOf,
    reviews: bridge.reviews,
    /** A finished job with a worktree of its own. */
    async job(fake: FakeJob = {}): Promise<JobRecord & { root: string }> {
      const record = recordOf({});
      const tree = await jobWorktree(repo, { jobId: record.id });
      writeIn(tree.root, fake);
      const against = {
        git: new WorktreeGit(repo.runner, tree.root),
        root: tree.root,
        base: tree.base,
      };
      if (fake.isGated === true) {
        store.setFact(gateTreeFactKey(record.id), (await treeHash(against)).tree, new Date());
      }
      const ended = insert(
        {
          ...record,
          runCwd: tree.root,
          worktree: {
            id: record.id,
            root: tree.root,
            branch: tree.branch,
            base: tree.base,
            kept: true,
            note: null,
            setup: null,
            included: [],
          },
          filesChanged: await listChanges(against),
          gate:
            fake.isGated === true
              ? {
                  name: 'tests',
                  kind: 'tests',
                  status: 'passed',
                  base: 'unknown',
                  covers: 'exact',
                  exit: 0,
                  durationS: 1,
                  tail: '',
                  protectedChanged: [],
                }
              : null,
          review: { status: 'pending', by: null, at: null, files: [], dropped: [] },
          ...fake.record,
        },
        { task: record.task },
      );
      return { ...ended, root: tree.root };
    },
    /** A finished job that worked in the checkout itself. */
    async jobInPlace(fake: FakeJob): Promise<JobRecord> {
      const record = recordOf({ isolation: 'none' });
      const keepDir = createJobDir(repo.stateDir, record.id);
      const git = repo.runner;
      const before = await snapshotFolder({
        git,
        cwd: repo.root,
        ref: baseRefOf(record.id),
        keepDir,
      });
      if (before === null) throw new Error('not in git');
      for (const [name, content] of Object.entries(fake.writes ?? {})) {
        if (content === null) rmSync(repo.path(name));
        else repo.write(name, content);
      }
      const filesChanged = await listChanges({
        git,
        root: repo.root,
        base: before.commit,
        start: before.start,
      });
      await snapshotFolder({ git, cwd: repo.root, ref: afterRefOf(record.id) });
      return insert(
        {
          ...record,
          runCwd: repo.root,
          worktree: {
            id: record.id,
            root: repo.root,
            branch: null,
            base: before.commit,
            kept: true,
            note: 'worked in the checkout itself',
            setup: null,
            included: [],
          },
          filesChanged,
          review: { status: 'pending', by: null, at: null, files: [], dropped: [] },
          ...fake.record,
        },
        { task: record.task, isolation: 'none' },
      );
    },
    async dispose(): Promise<void> {
      store.close();
      await bridge.dispose();
      repo.dispose();
    },
  };
}
