import type { JobsModel } from '../jobs/jobsModel.ts';
import type { JobsNode } from './jobsNode.ts';
import { fileRow, folderRow } from './rows/fileRow.ts';
import { groupRow } from './rows/groupRow.ts';
import { jobRow } from './rows/jobRow.ts';
import { moreRow } from './rows/moreRow.ts';
import { errorRow, noteRow } from './rows/noteRow.ts';
import type { Row } from './rows/row.ts';

export interface JobsRowOptions {
  readonly jobs: Pick<JobsModel, 'job' | 'jobs' | 'finishedTotal'>;
  readonly now: Date;
  readonly isAllShown: boolean;
  readonly isLoadingMore: boolean;
}

/** What stands in the row of a node at this moment. */
export function jobsNodeRow(node: JobsNode, options: JobsRowOptions): Row {
  const { jobs } = options;
  switch (node.kind) {
    case 'group':
      return groupRow(
        node.group,
        node.group === 'finished' ? jobs.finishedTotal : jobs.jobs(node.group).length,
      );
    case 'job': {
      const job = jobs.job(node.jobId);
      // VS Code may ask for a row that has just gone.
      return job === null
        ? noteRow(`job:${node.jobId}`, `${node.jobId} is not in the list any more.`)
        : jobRow(job, options);
    }
    case 'file':
      return fileRow(node.jobId, node.file, node);
    case 'folder':
      return folderRow(node.jobId, node.path, node.name, node.count);
    case 'more':
      return moreRow(jobs.jobs('finished').length, jobs.finishedTotal, options.isLoadingMore);
    case 'error':
      return errorRow(node.id, node);
    case 'note':
      return noteRow(node.id, node.text);
  }
}
