import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { jobs } from '../../../src/cli/commands/jobs.ts';
import { sampleJob } from '../protocol/sampleJob.ts';
import { cliDouble } from './cliDouble.ts';

const JOB = sampleJob({ status: 'done', elapsedS: 5, task: 'A task with many words. '.repeat(9) });

async function listed(terminal: { isTTY: boolean; columns: number } | null): Promise<string[]> {
  const { context, written } = cliDouble({ list: () => [JOB] });
  const stdout = terminal === null ? context.stdout : Object.assign(context.stdout, terminal);
  assert.equal(await jobs.run({ values: {}, positionals: [] }, { ...context, stdout }), 0);
  return written.stdout.trimEnd().split('\n');
}

describe('delegate jobs', () => {
  it('is one whole line per job in a pipe', async () => {
    const [line, ...rest] = await listed(null);
    assert.deepEqual(rest, []);
    assert.match(line ?? '', new RegExp(`^${JOB.id} .* tower +done in 0:05 · no gate$`));
  });

  it('fits a terminal of 80 columns, with id and status whole', async () => {
    const lines = await listed({ isTTY: true, columns: 80 });
    for (const line of lines) assert.ok(line.length <= 80, line);
    assert.ok(lines[0]?.startsWith(`${JOB.id}  A task`));
    assert.equal(lines[1], '  tower · done in 0:05 · no gate');
  });
});
