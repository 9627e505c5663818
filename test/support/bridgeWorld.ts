import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Bridge } from '../../src/bridge/bridge.ts';
import type { Caller } from '../../src/bridge/bridgeTypes.ts';
import { listJobProcesses } from '../../src/bridge/processes/jobProcesses.ts';
import type { JobRecord, JobRequest } from '../../src/protocol/job.ts';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { tempRepo, type TempRepoOptions } from './tempRepo.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DIST = join(ROOT, 'dist');

export interface WorldOptions extends TempRepoOptions {
  /** models.yaml; `URL` stands for the rehearsal server's address. */
  readonly models?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Window of the rehearsal server, in tokens. */
  readonly context?: number;
  /** Answers that the rehearsal server gives at once. */
  readonly slots?: number;
  /** The built bundles; default dist/. */
  readonly distDir?: string;
}

export const PERSON: Caller = { name: 'test', kind: 'person', session: null, pid: process.pid };
export const AGENT: Caller = {
  name: 'claude-code',
  kind: 'agent',
  session: null,
  pid: process.pid,
};

const MODELS = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
`;

export type BridgeWorld = Awaited<ReturnType<typeof bridgeWorld>>;

/**
 * A repository, a rehearsal server and the real engine over the built bundles, all below one scratch folder. Job hosts, guards and
 * agents are real processes; `dispose` asserts that none of them is left.
 */
export async function bridgeWorld(options: WorldOptions = {}) {
  const distDir = options.distDir ?? DIST;
  if (!existsSync(join(distDir, 'jobHost.cjs')))
    throw new Error('dist/ is missing: run "npm run build" first.');
  const repo = tempRepo({ files: { 'README.md': 'A project\n' }, ...options });
  const rehearsal = await startRehearsal({
    ...(options.context === undefined ? {} : { context: options.context }),
    ...(options.slots === undefined ? {} : { slots: options.slots }),
  });
  const configHome = join(repo.scratch, 'config');
  const modelsFile = join(configHome, 'delegation-bridge', 'models.yaml');
  const env: Record<string, string> = {
    ...repo.env,
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: configHome,
    DELEGATE_STATE: repo.stateDir,
    DELEGATE_TEST_ISOLATION_ROOT: repo.scratch,
    ...options.env,
  };
  const writeModels = (text: string): void => {
    mkdirSync(join(configHome, 'delegation-bridge'), { recursive: true });
    writeFileSync(modelsFile, text.replaceAll('URL', rehearsal.url));
  };
  writeModels(options.models ?? MODELS);
  const installation = { execPath: process.execPath, distDir };
  const openBridge = (more: { isRestricted?: boolean } = {}): Bridge =>
    new Bridge({
      env,
      homeDir: repo.home,
      configFile: null,
      installation,
      isRestricted: more.isRestricted ?? false,
    });
  const bridge = openBridge();
  const children: ChildProcess[] = [];

  const run = async (request: JobRequest, caller: Caller = PERSON): Promise<JobRecord> => {
    const { id } = await bridge.submit({ cwd: repo.root, ...request }, caller, repo.root);
    return finished(id);
  };
  const finished = async (id: string, timeoutMs = 90_000): Promise<JobRecord> => {
    const { finished: ended } = await bridge.wait([id], { mode: 'all', timeoutMs });
    if (ended[0] === undefined)
      throw new Error(
        `${id} has not ended: ${JSON.stringify(bridge.job(id), null, 1)}\n${hostLog(id)}`,
      );
    return ended[0];
  };
  const hostLog = (id: string): string => {
    const file = join(repo.stateDir, 'jobs', id, 'host.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  /** Waits until `probe` gives something; fails with the last state of the job when it never does. */
  const until = async <T>(
    what: string,
    probe: () => T | null | undefined | false,
    timeoutMs = 30_000,
  ): Promise<T> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = probe();
      if (found !== null && found !== undefined && found !== false) return found;
      if (performance.now() > deadline)
        throw new Error(`${what} did not come within ${timeoutMs} ms`);
      await delay(15);
    }
  };
  /** The built command line on the same store. */
  const cli = (
    ...args: string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(ROOT, 'bin/delegate.cjs'), ...args],
        { cwd: repo.root, env, encoding: 'utf8', timeout: 120_000 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
      child.stdin?.end();
    });
  /** A built bundle as a child of the test, ended with the world. */
  const start = (
    bundle: string,
    args: readonly string[] = [],
    more: Record<string, string> = {},
  ): ChildProcess => {
    const child = spawn(process.execPath, [join(distDir, bundle), ...args], {
      cwd: repo.root,
      env: { ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };
  const jobIds = (): string[] => readdirSync(join(repo.stateDir, 'jobs'));

  return {
    repo,
    rehearsal,
    env,
    bridge,
    openBridge,
    modelsFile,
    writeModels,
    run,
    finished,
    until,
    cli,
    start,
    hostLog,
    jobIds,
    log: (id: string, name: string): string => {
      const file = join(repo.stateDir, 'jobs', id, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    },
    async dispose(): Promise<void> {
      for (const child of children) child.kill('SIGKILL');
      for (const job of bridge.list()) {
        if (!['done', 'failed', 'timeout', 'cancelled', 'lost', 'refused'].includes(job.status)) {
          await bridge.cancel(job.id, PERSON);
        }
      }
      await bridge.dispose();
      const ids = jobIds();
      await until('the end of all processes of the jobs', () =>
        ids.every((id) => listJobProcesses(id).length === 0),
      );
      await rehearsal.close();
      repo.dispose();
    },
  };
}

/** A brief that the rehearsal server plays. */
export function script(...lines: string[]): string {
  return ['Do what the script says.', '```rehearsal', ...lines, '```'].join('\n');
}
