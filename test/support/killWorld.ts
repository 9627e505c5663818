import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JobStore } from '../../src/bridge/jobs/jobStore.ts';
import { listJobProcesses } from '../../src/bridge/processes/jobProcesses.ts';
import type { JobRecord, JobRequest } from '../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld, type WorldOptions } from './bridgeWorld.ts';
import { environmentOf, processesOf } from './killProcesses.ts';
import type { RepoFingerprint } from './tempRepo.ts';

/** Shell that says where it is, then goes on when its file is gone. */
function hold(file: string): string {
  return `if [ -e "${file}" ]; then : > "${file}.reached"; fi; while [ -e "${file}" ]; do sleep 0.05; done`;
}

/** A file that stops a part of the product for as long as it is there. */
export class Hold {
  readonly #file: string;
  readonly command: string;

  constructor(file: string) {
    this.#file = file;
    this.command = hold(file);
  }

  set(): void {
    writeFileSync(this.#file, '');
  }

  get isReached(): boolean {
    return existsSync(`${this.#file}.reached`);
  }

  release(): void {
    rmSync(this.#file, { force: true });
    rmSync(`${this.#file}.reached`, { force: true });
  }
}

/**
 * One place in the pool, a gate that can be held, and a git filter that can be held while a worktree is made (`tree.slow` comes out
 * of the repository) or listed (a job has written another `*.slow`).
 */
export class KillWorld {
  readonly world: BridgeWorld;
  readonly gate: Hold;
  readonly smudge: Hold;
  readonly clean: Hold;
  #before: RepoFingerprint | null = null;

  private constructor(world: BridgeWorld) {
    const dir = join(world.repo.scratch, 'holds');
    mkdirSync(dir);
    this.world = world;
    this.gate = new Hold(join(dir, 'gate'));
    this.smudge = new Hold(join(dir, 'smudge'));
    this.clean = new Hold(join(dir, 'clean'));
  }

  static async open(options: WorldOptions & { slots?: number } = {}): Promise<KillWorld> {
    const world = await bridgeWorld({
      files: {
        'README.md': 'A project\n',
        'tree.slow': 'slow\n',
        '.gitattributes': '*.slow filter=slow\n',
      },
      ...options,
    });
    const kill = new KillWorld(world);
    world.writeModels(
      [
        'endpoints:',
        '  rehearsal: { base_url: URL, max_concurrent: 50 }',
        'pools:',
        `  default: { slots: ${options.slots ?? 1} }`,
        'gates:',
        `  held: { run: ${JSON.stringify(kill.gate.command)} }`,
        '',
      ].join('\n'),
    );
    world.repo.git('config', 'filter.slow.smudge', `${kill.smudge.command}; cat`);
    world.repo.git(
      'config',
      'filter.slow.clean',
      `case %f in tree.slow) ;; *) ${kill.clean.command} ;; esac; cat`,
    );
    kill.#before = world.repo.fingerprint();
    return kill;
  }

  /** Queues a job that writes a.txt first; its id. */
  async submit(request: Partial<JobRequest> & { lines?: readonly string[] } = {}): Promise<string> {
    const { lines = ['write a.txt: A', 'say: ok'], ...more } = request;
    const { root } = this.world.repo;
    return (
      await this.world.bridge.submit({ task: script(...lines), cwd: root, ...more }, PERSON, root)
    ).id;
  }

  until<T>(what: string, probe: () => T | null | undefined | false): Promise<T> {
    return this.world.until(what, probe, 60_000);
  }

  job(id: string): JobRecord {
    return this.world.bridge.job(id);
  }

  /** Where a file of the job's tree is, once there is a tree. */
  treeFile(id: string, name: string): string | null {
    const root = this.job(id).worktree?.root;
    return root === undefined ? null : join(root, name);
  }

  hasWritten(id: string, name: string): boolean {
    const file = this.treeFile(id, name);
    return file !== null && existsSync(file);
  }

  /** Whether a process was started with this world's state dir. */
  isOfThisWorld(pid: number): boolean {
    return environmentOf(pid).includes(this.world.repo.stateDir);
  }

  /** Names in the folders where the worktrees and their markers lie. */
  treeEntries(): string[] {
    const { baseDir } = this.world.repo;
    if (!existsSync(baseDir)) return [];
    return readdirSync(baseDir).flatMap((folder) => readdirSync(join(baseDir, folder)));
  }

  /** As after a restart of a machine whose state dir lies in a folder that is emptied then. */
  removeLocks(): void {
    rmSync(join(this.world.repo.stateDir, 'locks'), { recursive: true });
  }

  /** What holds after whatever was killed, once the job has ended: a receipt, no process, the checkout as it was. */
  async assertOver(id: string): Promise<JobRecord> {
    const job = await this.world.finished(id);
    assert.deepEqual(listJobProcesses(id), [], 'a place is free only when the processes are gone');
    // A git that was just being started when its host was killed ends a moment later.
    try {
      await this.until('the end of all processes', () => processesOf(id).length === 0);
    } catch (error) {
      throw new Error(`left: ${JSON.stringify(processesOf(id))}`, { cause: error });
    }
    assert.deepEqual(this.world.repo.fingerprint(), this.#before, 'the checkout is as it was');
    this.assertReceipts();
    return job;
  }

  /** By a connection of its own: the store opens, is whole, and every job that has ended has its receipt. */
  assertReceipts(): void {
    const store = new JobStore(this.world.repo.stateDir);
    try {
      for (const { record } of store.list()) {
        if (record.finishedAt !== null) assert.deepEqual(store.receipt(record.id), record);
      }
    } finally {
      store.close();
    }
  }

  /** What the job wrote can be seen and taken. */
  async assertWorkKept(id: string, files: readonly string[] = ['a.txt']): Promise<void> {
    const job = this.job(id);
    assert.equal(job.review.status, 'pending');
    const diff = await this.world.bridge.diff(id);
    assert.deepEqual(
      diff.files.map((file) => file.path),
      files,
    );
    const { result } = await this.world.bridge.reviews.accept(id, PERSON, {
      isGateFailureAccepted: true,
    });
    assert.equal(result.status, 'applied');
    for (const file of files) assert.ok(existsSync(this.world.repo.path(file)), file);
  }

  async dispose(): Promise<void> {
    this.gate.release();
    this.smudge.release();
    this.clean.release();
    await this.world.dispose();
  }
}
