import { BridgeError } from '../../base/bridgeError.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { AcceptFlow } from './acceptFlow.ts';
import { choose, type Choice } from './choose.ts';
import { type Conflict, ConflictSession, type ConflictStep, stepsFor } from './conflictList.ts';
import type { MergeDocuments } from './mergeDocuments.ts';
import { openMerge } from './openMerge.ts';
import type { ReviewContents } from './reviewContents.ts';
import type { ReviewStates } from './reviewStates.ts';
import { counted, named, withoutIcons } from './reviewWords.ts';

export interface ConflictsParts {
  readonly link: Pick<BridgeLink, 'call'>;
  readonly states: ReviewStates;
  readonly contents: ReviewContents;
  readonly merges: MergeDocuments;
  /** Saves an editor of the checkout's file; false when there is none or it could not be saved. */
  readonly saveTarget: (jobId: string, path: string) => Promise<boolean>;
}

type ListStep = 'others' | 'merge' | { readonly conflict: Conflict };

const WORDS: Record<ConflictStep, { readonly label: string; readonly detail: string }> = {
  merge: {
    label: 'Merge…',
    detail: 'Opens the merge editor; nothing is written before it is accepted.',
  },
  take: { label: "Take the job's file", detail: 'Yours is replaced. Undo Accept brings it back.' },
  keep: {
    label: 'Keep mine',
    detail: "The job's change of this file is rejected; that can be taken back.",
  },
  save: { label: 'Save it', detail: "Then the job's change is merged into the saved text." },
  leave: { label: 'Leave it for later', detail: 'The other files can be accepted without it.' },
};

/** The conflicts of accepts that are under way: a list to choose from, and the merges that were begun. */
export class Conflicts {
  readonly #parts: ConflictsParts;
  readonly #sessions = new Map<string, ConflictSession>();

  constructor(parts: ConflictsParts) {
    this.#parts = parts;
  }

  session(jobId: string): ConflictSession | null {
    return this.#sessions.get(jobId) ?? null;
  }

  /** Begins one merge by itself, outside of an accept of more files. */
  async mergeOne(jobId: string, path: string): Promise<void> {
    const session = this.session(jobId) ?? new ConflictSession(jobId, [path]);
    session.files.add(path);
    this.#sessions.set(jobId, session);
    await this.#openMerge(session, path);
  }

  end(session: ConflictSession): void {
    if (this.#sessions.get(session.jobId) === session) this.#sessions.delete(session.jobId);
  }

  /** Asks about what is in the way until all is decided, then takes it. Answers whether something was taken. */
  async settle(session: ConflictSession, flow: AcceptFlow): Promise<boolean> {
    this.#sessions.set(session.jobId, session);
    while (session.open.length > 0) {
      const step = await this.#askList(session);
      if (step === undefined) return false;
      if (step === 'others') {
        for (const { path } of session.open) session.left.add(path);
        break;
      }
      const [toMerge] = step === 'merge' ? session.toMerge : [];
      if (toMerge !== undefined) {
        await this.#openMerge(session, toMerge.path);
        return false;
      }
      if (typeof step === 'string') continue;
      if (await this.#settleOne(session, step.conflict)) return false;
    }
    return flow.take(session);
  }

  /** The finished text of a merge: the next merge of the accept comes up, or all is taken. */
  async merged(
    jobId: string,
    path: string,
    content: Uint8Array,
    flow: AcceptFlow,
  ): Promise<boolean> {
    const session = this.session(jobId) ?? new ConflictSession(jobId, [path]);
    session.resolved.set(path, Buffer.from(content).toString('base64'));
    const [next] = session.toMerge;
    if (next === undefined) return this.settle(session, flow);
    await this.#openMerge(session, next.path);
    return false;
  }

  async #openMerge(session: ConflictSession, path: string): Promise<void> {
    const { states, merges } = this.#parts;
    const { task } = await states.record(session.jobId);
    const { jobId } = session;
    await openMerge(merges, { jobId, path, task, place: session.place(path) });
  }

  #askList(session: ConflictSession): Promise<ListStep | undefined> {
    const { open, toMerge, clean, resolved } = session;
    const ready = clean + resolved.size;
    const choices: Choice<ListStep>[] = [
      ...(toMerge.length > 0
        ? [
            {
              label: `$(git-merge) Merge ${toMerge.length === 1 ? named([toMerge[0]?.path ?? '']) : counted(toMerge.length, 'file')}…`,
              ...(toMerge.length > 1 ? { description: 'one after the other' } : {}),
              value: 'merge' as const,
            },
          ]
        : []),
      ...(ready > 0
        ? [
            {
              label: `$(check) Accept the other ${counted(ready, 'file')}`,
              description: `${open.length === 1 ? 'this one stays' : 'these stay'} for later`,
              value: 'others' as const,
            },
          ]
        : []),
      ...open.map((conflict) => ({
        label: withoutIcons(conflict.path),
        detail: withoutIcons(conflict.message),
        value: { conflict },
      })),
    ];
    const title = `${counted(open.length, 'conflict')} with your checkout`;
    return choose(title, 'Nothing has been written yet.', choices);
  }

  /** True when the person goes on in an editor. */
  async #settleOne(session: ConflictSession, conflict: Conflict): Promise<boolean> {
    const { jobId } = session;
    const { path } = conflict;
    const step = await choose(
      withoutIcons(path),
      withoutIcons(conflict.message),
      stepsFor(conflict).map((value) => ({ ...WORDS[value], value })),
    );
    switch (step) {
      case undefined:
        return false;
      case 'merge':
        await this.#openMerge(session, path);
        return true;
      case 'take':
        session.resolved.set(path, await this.#jobContent(jobId, path));
        return false;
      case 'keep':
        await this.#parts.link.call('drop_files', { jobId, files: [path] });
        this.#parts.states.forget(jobId);
        session.files.delete(path);
        return false;
      case 'save':
        if (await this.#parts.saveTarget(jobId, path)) session.saved(path);
        return false;
      case 'leave':
        session.left.add(path);
        return false;
    }
  }

  async #jobContent(jobId: string, path: string): Promise<string> {
    const bytes = await this.#parts.contents.read({ jobId, path, side: 'job' });
    if (bytes !== null) return Buffer.from(bytes).toString('base64');
    throw new BridgeError('worktree_gone', `${path} is not in the job's worktree any more.`, {
      hint: 'Look at the changes of the job again.',
    });
  }
}
