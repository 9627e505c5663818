import type { Attachment } from './attachment.ts';
import { FIRST_DELEGATION, type Delegation } from './delegation.ts';

/** The part of VS Code's memento that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

// The number goes up when the shape changes in a way that an older draft does not fit.
const DRAFT = 'delegate.draft.1';
const LAST = 'delegate.last.1';

/** What is typed and not yet delegated, and what was delegated last, kept for this workspace. */
export class KeptDelegations {
  readonly #memory: Memory;
  readonly #elsewhere: Memory;
  readonly #hasFolder: () => boolean;

  /** @param elsewhere remembers what is typed in a window without a folder, for the next window that has one */
  constructor(memory: Memory, elsewhere: Memory, hasFolder: () => boolean) {
    this.#memory = memory;
    this.#elsewhere = elsewhere;
    this.#hasFolder = hasFolder;
  }

  /** What was typed and not delegated, with the answers of the last time. */
  get draft(): Delegation {
    const own = readDelegation(this.#memory.get(DRAFT)) ?? { ...this.#answers(), ...NO_BRIEF };
    const carried = readDelegation(this.#elsewhere.get(DRAFT));
    const isEmpty = own.text === '' && own.attachments.length === 0;
    return carried !== null && isEmpty ? { ...own, text: carried.text } : own;
  }

  /** What was delegated last; null before the first time. */
  get last(): Delegation | null {
    return readDelegation(this.#memory.get(LAST));
  }

  readonly keepDraft = (delegation: Delegation): void => {
    void this.#memory.update(DRAFT, delegation);
    const carried = this.#hasFolder() || delegation.text === '' ? undefined : delegation;
    if (carried !== undefined || this.#elsewhere.get(DRAFT) !== undefined)
      void this.#elsewhere.update(DRAFT, carried);
  };

  /** It has become a job: the draft is empty again, the answers stay. */
  started(delegation: Delegation): void {
    void this.#memory.update(LAST, delegation);
    this.keepDraft({ ...delegation, ...NO_BRIEF });
  }

  #answers(): Delegation {
    return this.last ?? FIRST_DELEGATION;
  }
}

const NO_BRIEF = { text: '', attachments: [] } as const;

/** Parts that are not what they should be are as in a first delegation: a broken memory must not keep anybody from delegating. */
function readDelegation(value: unknown): Delegation | null {
  if (!isObject(value)) return null;
  const { cwd, text, attachments, who, how } = value;
  return {
    cwd: typeof cwd === 'string' ? cwd : null,
    text: typeof text === 'string' ? text : '',
    attachments: Array.isArray(attachments)
      ? attachments.filter((each): each is Attachment => isObject(each) && 'kind' in each)
      : [],
    who:
      isObject(who) && 'kind' in who ? (who as unknown as Delegation['who']) : { kind: 'policy' },
    how: isObject(how)
      ? { ...FIRST_DELEGATION.how, ...(how as Partial<Delegation['how']>) }
      : FIRST_DELEGATION.how,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
