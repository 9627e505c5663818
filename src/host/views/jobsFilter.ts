import * as vscode from 'vscode';
import { setContext } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';

export type JobsScope = 'repository' | 'all';

const KEY = 'jobsFilter';

/** Whose jobs are shown, remembered for the workspace. Without a folder there is no repository to narrow down to. */
export class JobsFilter {
  readonly #memento: vscode.Memento;
  readonly #jobs: HostParts['jobs'];

  constructor({ context, jobs }: Pick<HostParts, 'context' | 'jobs'>) {
    this.#memento = context.workspaceState;
    this.#jobs = jobs;
  }

  get scope(): JobsScope {
    const hasFolder = workspaceFolders().length > 0;
    return hasFolder && this.#memento.get(KEY) !== 'all' ? 'repository' : 'all';
  }

  /** A handler that chooses the scope. */
  chooser(scope: JobsScope): () => Promise<void> {
    return async () => {
      await this.#memento.update(KEY, scope);
      await this.apply();
    };
  }

  /** Resolves when the jobs of the scope are there. */
  async apply(): Promise<void> {
    const { scope } = this;
    void setContext('jobsFilter', scope);
    await this.#jobs.filter(scope === 'all' ? null : workspaceFolders());
  }
}

/** Paths of the folders of this window that lie on a disk. */
export function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}
