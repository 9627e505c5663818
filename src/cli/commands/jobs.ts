import { JOB_STATUSES, type JobRecord } from '../../protocol/job.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import { jobSummary } from '../../protocol/mcpJobSummary.ts';
import { statusLine } from '../../protocol/statusLine.ts';
import { alignColumns } from '../../base/alignColumns.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption, textOption, wordOption } from '../optionReaders.ts';
import { terminalColumns } from '../terminalColumns.ts';
import { printJson, printText } from '../print.ts';

const DEFAULT_LIMIT = 20;

export const jobs: Command = {
  usage: 'jobs [--here] [--status WORD] [--limit N] [--json]',
  description:
    'Lists jobs, newest first: of every client on this machine, or only those of this repository.',
  minPositionals: 0,
  maxPositionals: 0,
  options: {
    here: { type: 'boolean', help: 'Only jobs of the repository of this folder' },
    cwd: { type: 'string', value: 'DIR', help: 'Only jobs of the repository of that folder' },
    status: { type: 'string', value: 'WORD', help: `One of ${JOB_STATUSES.join(', ')}` },
    limit: { type: 'string', value: 'N', help: `At most so many; default ${DEFAULT_LIMIT}` },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const limit = numberOption(args, 'limit', { min: 1, isWhole: true }) ?? DEFAULT_LIMIT;
    const status = wordOption(args, 'status', JOB_STATUSES);
    const cwd = textOption(args, 'cwd') ?? (flag(args, 'here') ? context.cwd : undefined);
    const found = bridge.list({
      limit,
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    const position = (job: JobRecord): number | null =>
      job.status === 'queued' ? bridge.queuePosition(job.id) : null;
    if (flag(args, 'json')) {
      printJson(context, {
        jobs: found.map((job) => jobSummary(job, context.now(), position(job))),
      });
    } else if (found.length === 0) {
      const isFiltered = status !== undefined || cwd !== undefined;
      printText(
        context,
        isFiltered
          ? 'There are no such jobs. To see all: delegate jobs'
          : 'There are no jobs. To start one: delegate run "task"',
      );
    } else {
      const rows = found.map((job) => ({
        id: job.id,
        task: briefLine(job.task, 40),
        endpoint: job.endpoint ?? '-',
        status: statusLine(job, context.now(), position(job)),
      }));
      const columns = terminalColumns(context.stdout);
      printText(context, columns === null ? inOneLine(rows) : inTwoLines(rows, columns));
    }
    return 0;
  },
};

interface Row {
  readonly id: string;
  readonly task: string;
  readonly endpoint: string;
  readonly status: string;
}

/** For pipes and files: all of it, one job a line. */
function inOneLine(rows: readonly Row[]): string {
  return alignColumns(rows.map(({ id, task, endpoint, status }) => [id, task, endpoint, status]));
}

/** For terminals: the id alone takes half of a line, and what the job is doing must not be the part that is cut. */
function inTwoLines(rows: readonly Row[], columns: number): string {
  const cut = (line: string): string =>
    line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
  return rows
    .flatMap(({ id, task, endpoint, status }) => [`${id}  ${task}`, `  ${endpoint} · ${status}`])
    .map(cut)
    .join('\n');
}
