import { formatOrdinal } from '../../protocol/statusLineParts.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';
import type { OverviewModel } from '../jobs/overviewModel.ts';
import { jobLabel } from './rows/jobFacts.ts';
import { jobLine } from './rows/jobLine.ts';
import { errorRow } from './rows/noteRow.ts';
import { type Pool, poolRow } from './rows/poolRow.ts';
import type { Row } from './rows/row.ts';

export type PoolsNode =
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly hint: string;
    }
  | { readonly kind: 'pool'; readonly pool: Pool }
  | {
      readonly kind: 'jobLine';
      readonly pool: string;
      readonly jobId: string;
      readonly waiting: Pool['waiting'][number];
    };

export interface PoolsTreeOptions {
  readonly overview: Pick<OverviewModel, 'overview' | 'state'>;
  readonly jobs: Pick<JobsModel, 'job'>;
}

/** The rows of the pools view, without VS Code. */
export class PoolsTree {
  readonly #options: PoolsTreeOptions;

  constructor(options: PoolsTreeOptions) {
    this.#options = options;
  }

  children(node?: PoolsNode): readonly PoolsNode[] {
    if (node?.kind === 'pool') {
      const { name, waiting } = node.pool;
      return waiting.map((each) => ({
        kind: 'jobLine',
        pool: name,
        jobId: each.jobId,
        waiting: each,
      }));
    }
    if (node !== undefined) return [];
    const { overview, state } = this.#options.overview;
    const nodes: PoolsNode[] = [];
    if (state.kind === 'error' && state.errorKind !== 'server_unavailable')
      nodes.push({ kind: 'error', message: state.message, hint: state.hint });
    for (const pool of overview?.pools ?? []) nodes.push({ kind: 'pool', pool });
    return nodes;
  }

  row(node: PoolsNode): Row {
    switch (node.kind) {
      case 'error':
        return errorRow('error:pools', node);
      case 'pool':
        return poolRow(node.pool);
      case 'jobLine': {
        const job = this.#options.jobs.job(node.jobId);
        return jobLine(
          `in:${node.pool}:${node.jobId}`,
          job === null ? 'A job of another repository' : jobLabel(job),
          [`${formatOrdinal(node.waiting.position)} in line`],
          false,
        );
      }
    }
  }
}
