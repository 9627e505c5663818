import type { JobGroup } from '../../protocol/jobGroup.ts';
import type { FileChange } from './rows/fileRow.ts';
import type { FileNode } from './rows/fileTree.ts';

/** What stands in a row of the jobs view. Commands are handed these: jobs and files name themselves. */
export type JobsNode =
  | { readonly kind: 'group'; readonly group: JobGroup }
  | { readonly kind: 'job'; readonly jobId: string }
  | {
      readonly kind: 'file';
      readonly jobId: string;
      readonly path: string;
      readonly file: FileChange;
      readonly isInFolder: boolean;
      readonly isOpen: boolean;
      readonly parent: JobsNode;
    }
  | {
      readonly kind: 'folder';
      readonly jobId: string;
      readonly path: string;
      readonly name: string;
      readonly count: number;
      readonly inside: readonly FileNode[];
      readonly files: ReadonlyMap<string, FileChange>;
      readonly isOpen: boolean;
      readonly parent: JobsNode;
    }
  | { readonly kind: 'more' }
  | {
      readonly kind: 'error';
      readonly id: string;
      readonly message: string;
      readonly hint: string;
      readonly parent: JobsNode | null;
    }
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly text: string;
      readonly parent: JobsNode;
    };
