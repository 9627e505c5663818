import type { Policy } from '../../protocol/job.ts';
import type { Attachment } from './attachment.ts';

/** Who is asked: whoever the policy allows, or a model that was chosen. */
export type Who =
  | { readonly kind: 'policy' }
  | {
      readonly kind: 'model';
      readonly endpoint: string;
      /** Null: the endpoint's own choice. */
      readonly model: string | null;
    };

/** How it is done. Null is what the configuration says. */
export interface How {
  readonly isolation: 'worktree' | 'none' | null;
  /** Null: what the configuration has first. */
  readonly gate: { readonly name: string | null } | null;
  readonly policy: Policy | null;
  readonly isReadOnly: boolean;
  readonly repairRounds: number;
  readonly from: 'head' | 'working-tree';
  readonly runner: 'claude-code' | 'loop' | null;
  /** Definition whose instructions apply, which only the built-in loop reads. Null: none. */
  readonly agent: string | null;
}

/** One delegation on its way through the steps, and as it is kept for the next time. */
export interface Delegation {
  /** Folder the job works in. */
  readonly cwd: string | null;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly who: Who;
  readonly how: How;
}

export const FIRST_DELEGATION: Delegation = {
  cwd: null,
  text: '',
  attachments: [],
  who: { kind: 'policy' },
  how: {
    isolation: null,
    gate: null,
    policy: null,
    isReadOnly: false,
    repairRounds: 0,
    from: 'head',
    runner: null,
    agent: null,
  },
};
