import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BridgeContext } from './bridgeContext.ts';
import { recoverAccept } from './worktrees/acceptRecover.ts';
import { JOURNAL_NAME } from './worktrees/journal.ts';

/** An accept or undo that a killed process left half written is finished or undone before the next one begins. */
export async function recoverAccepts(context: BridgeContext): Promise<void> {
  const jobs = join(context.stateDir, 'jobs');
  const open = readdirSync(jobs).filter((id) => existsSync(join(jobs, id, JOURNAL_NAME)));
  if (open.length === 0) return;
  const git = await context.git();
  for (const id of open) {
    const result = await recoverAccept({ git, stateDir: context.stateDir, jobDir: join(jobs, id) });
    if (result.status !== 'finished' || result.kind !== 'accept') continue;
    context.store.update(id, (record) => ({
      ...record,
      review: {
        ...record.review,
        status: 'partly',
        at: new Date().toISOString(),
        files: [...new Set([...record.review.files, ...result.paths])],
      },
      warnings: [...record.warnings, 'An accept that was cut short has been finished.'],
    }));
  }
}
