import { describe, type Suite } from 'mocha';
import { Bridge } from '../../../src/bridge/bridge.ts';
import type { Caller } from '../../../src/bridge/bridgeTypes.ts';
import type { JobRecord, JobRequest } from '../../../src/protocol/job.ts';
import { openTempRepo, type RepoPlace, type TempRepo } from '../../support/tempRepo.ts';
export { rehearsalTask } from './rehearsalTask.ts';
import { seedJobs, type SeedOptions } from './seedJobs.ts';

/** What the process that opened the window tells its suite, in the variable HOST_WORLD. */
export interface WorldOfWindow {
  readonly repo: RepoPlace;
  /** Environment of the bridge: PATH with Claude Code and Node, the run's own home, config and state. */
  readonly env: Record<string, string>;
  readonly modelsFile: string;
  readonly rehearsalUrl: string;
  /** The bundles of the extension under test. */
  readonly distDir: string;
  /** Null when the real Claude Code can run here. */
  readonly whyNoClaude: string | null;
}

/** Somebody else than VS Code: a Claude Code session. */
const SESSION: Caller = { name: 'claude-code', kind: 'agent', session: null, pid: process.pid };
const JOB_LIMIT_MS = 90_000;

export type HostWorld = ReturnType<typeof hostWorld>;

/**
 * What lies around the window of this suite: the repository in it, the rehearsal server, the store, and an engine of the suite's own on
 * that store, as another Claude Code session has. Call `dispose` in an `after`.
 */
export function hostWorld() {
  const told = toldWorld();
  const repo: TempRepo = openTempRepo(told.repo);
  const bridge = new Bridge({
    env: told.env,
    homeDir: repo.home,
    configFile: null,
    installation: { execPath: process.execPath, distDir: told.distDir },
    isRestricted: false,
  });
  return {
    repo,
    bridge,
    stateDir: repo.stateDir,
    env: told.env,
    modelsFile: told.modelsFile,
    rehearsalUrl: told.rehearsalUrl,

    /** Submits as another session would; resolves when the job is in the store. */
    submitJob: (request: JobRequest, caller: Caller = SESSION): Promise<JobRecord> =>
      bridge.submit({ cwd: repo.root, ...request }, caller, repo.root),

    /** Resolves when the job has ended. */
    async waitForJob(id: string, timeoutMs = JOB_LIMIT_MS): Promise<JobRecord> {
      const { finished } = await bridge.wait([id], { mode: 'all', timeoutMs });
      if (finished[0] === undefined)
        throw new Error(`${id} has not ended: ${JSON.stringify(bridge.job(id), null, 1)}`);
      return finished[0];
    },

    /** Ended jobs without tree and log: see seedJobs.ts. */
    seedJobs: (count: number, record?: SeedOptions['record']): string[] =>
      seedJobs(count, {
        stateDir: repo.stateDir,
        repoRoot: repo.root,
        ...(record === undefined ? {} : { record }),
      }),

    dispose: (): Promise<void> => bridge.dispose(),
  };
}

/** The folder that everything of this window's run lies below. */
export function scratchOfWindow(): string {
  return toldWorld().repo.scratch;
}

/** A suite whose jobs run the real Claude Code; where it is not installed its tests are skipped, and `npm test` says why. */
export function describeWithClaude(title: string, suite: (this: Suite) => void): void {
  const { whyNoClaude } = toldWorld();
  if (whyNoClaude === null) {
    describe(title, suite);
    return;
  }
  const skipped = describe.skip(title, suite);
  if (skipped) skipped.eachTest((test) => Object.assign(test, { skipReason: whyNoClaude }));
}

function toldWorld(): WorldOfWindow {
  const told = process.env['HOST_WORLD'];
  if (told === undefined) throw new Error('HOST_WORLD is missing: run tools/hostTests.mjs.');
  return JSON.parse(told) as WorldOfWindow;
}
