import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { JobWorld } from '../unit/bridge/review/jobWorld.ts';
import type { Figure } from './figure.ts';

const FILES = 300;

/**
 * Accepting a job that changed 300 files of 2 kB into a clean checkout, beside `cp` of the same 300 files over it. The accept
 * compares three sides of each file, stores what it replaces under an undo ref, writes a journal and syncs each file to the disk
 * before it replaces it; `cp` does none of that, so the ratio is the price of losing nothing. In turn, the checkout put back by
 * git before each; a first run of each is not counted.
 */
export async function acceptFiles(runs: number): Promise<Figure[]> {
  const names = Array.from({ length: FILES }, (_, n) => `folder${n % 20}/file${n}.txt`);
  const text = (words: string): string => `${words}\n`.repeat(80);
  const world = await JobWorld.create({
    files: Object.fromEntries(names.map((name) => [name, text(`before ${name}`)])),
  });
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    await world.job(Object.fromEntries(names.map((name) => [name, text(`after ${name}`)])));
    const files = world.changes();
    for (let run = -1; run < runs; run += 1) {
      world.run('reset', '-q', '--hard');
      const startedMs = performance.now();
      const { status } = await world.accept({ files });
      const ourMs = performance.now() - startedMs;
      if (status !== 'applied') throw new Error(`the accept ended as ${status}`);
      world.run('reset', '-q', '--hard');
      const bareStartedMs = performance.now();
      execFileSync('cp', ['-R', ...new Set(names.map((name) => folderOf(world.root, name))), '.'], {
        cwd: world.repo,
      });
      const bareMs = performance.now() - bareStartedMs;
      if (run < 0) continue;
      ours.push(ourMs);
      bare.push(bareMs);
    }
  } finally {
    await world.dispose();
  }
  return [
    {
      name: 'accept of 300 files',
      unit: 'ms',
      ours,
      beside: { what: 'cp of the same files', values: bare },
    },
  ];
}

function folderOf(root: string, name: string): string {
  return join(root, name.slice(0, name.indexOf('/')));
}
