import { type ConfigPath, formatPath, valueAt } from '../../src/config/configPath.ts';
import type { ConfigEdit } from '../../src/protocol/modelsLanguage/configEdit.ts';
import type { FormField, FormState } from '../../src/protocol/modelsLanguage/formState.ts';
import type { LiveFacts } from '../../src/protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../src/protocol/modelsLanguage/noLiveFacts.ts';
import type { FormPageMessage } from '../../src/protocol/registryForm/formMessages.ts';
import { Drafts } from './facts/drafts.ts';
import { EditQueue, type EditOutcome } from './facts/editQueue.ts';
import { liveAge, type LiveAge } from './facts/liveAge.ts';
import { pathId } from './facts/pathId.ts';
import { ProblemPlaces } from './facts/problemPlaces.ts';

/** What the parts of the form get by writing `form.edit(…)`. */
export type MakeEdits = () => readonly ConfigEdit[] | null;

export interface GateRun {
  readonly state: 'running' | 'passed' | 'failed' | 'refused';
  readonly text: string;
  readonly durationS: number | null;
}

interface FormOptions {
  readonly root: FormField;
  readonly post: (message: FormPageMessage) => void;
  /** Something that parts show is another one now. */
  readonly onChange: () => void;
  /** For a screen reader. */
  readonly say: (text: string) => void;
  readonly onReveal: (path: ConfigPath) => void;
  readonly open: readonly string[];
}

const NO_STATE: FormState = {
  ...{ version: 0, role: 'other', isUsed: true, isEditable: true, values: {}, inherited: {} },
  problems: [],
};

/** What the page knows of the file, and how it changes it: the one thing that all parts of the form are given. */
export class Form {
  readonly root: FormField;
  readonly drafts = new Drafts();
  readonly gates = new Map<string, GateRun>();
  state: FormState = NO_STATE;
  problems: ProblemPlaces;
  live: LiveFacts = NO_LIVE_FACTS;
  isAsking = false;
  isReadonly = false;
  /** Of the workspace: false in Restricted Mode. */
  isTrusted = true;
  readonly #options: FormOptions;
  readonly #open: Set<string>;
  readonly #troubles = new Map<string, string>();
  readonly #queue: EditQueue;
  #awaited: ConfigPath | null = null;

  constructor(options: FormOptions) {
    this.#options = options;
    this.root = options.root;
    this.problems = new ProblemPlaces(options.root, {}, []);
    this.#open = new Set(options.open);
    this.#queue = new EditQueue({
      post: (id, version, edits) => options.post({ type: 'edit', id, version, edits: [...edits] }),
      later: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    });
  }

  setState(state: FormState, isReadonly: boolean): void {
    this.state = state;
    this.isReadonly = isReadonly;
    this.problems = new ProblemPlaces(this.root, state.values, state.problems);
    this.#options.onChange();
    this.#queue.onState(state.version);
    const awaited = this.#awaited;
    if (awaited === null || this.value(awaited) === undefined) return;
    this.#awaited = null;
    this.#options.onReveal(awaited);
  }

  onEdited(id: number, outcome: EditOutcome, message: string): void {
    this.#queue.onEdited(id, outcome, message);
  }

  value(path: ConfigPath): unknown {
    return valueAt(this.state.values, path);
  }

  inherited(path: ConfigPath): unknown {
    return valueAt(this.state.inherited, path);
  }

  /** What counts: what the file says, else what counts without it. */
  effective(path: ConfigPath): unknown {
    return this.value(path) ?? this.inherited(path);
  }

  get isLocked(): boolean {
    return this.isReadonly || !this.state.isEditable;
  }

  /** Why nothing may be asked or run; null: it may. */
  get whyNoActions(): string | null {
    return this.isTrusted ? null : 'Not in Restricted Mode: trust this workspace first.';
  }

  liveAge(): LiveAge {
    return liveAge(this.live, this.isAsking, Date.now());
  }

  isOpen(path: ConfigPath): boolean {
    return this.#open.has(formatPath(path));
  }

  setOpen(path: ConfigPath, isOpen: boolean): void {
    if (isOpen) this.#open.add(formatPath(path));
    else this.#open.delete(formatPath(path));
    this.#options.onChange();
  }

  get open(): string[] {
    return [...this.#open].slice(-1000);
  }

  /** Why the last change of a key is not in the file; empty: nothing is in its way. */
  troubleAt(path: ConfigPath): string {
    const id = pathId(path);
    return this.drafts.get(id)?.trouble ?? this.#troubles.get(id) ?? '';
  }

  /** Changes the file. What goes wrong is said at `path`; `done` is what a screen reader says, `onDone` runs when the form shows it. */
  edit(path: ConfigPath, make: MakeEdits, done: string, onDone?: () => void): void {
    if (this.isLocked) return;
    const id = pathId(path);
    this.#troubles.delete(id);
    this.#queue.push(make, (outcome, message) => {
      if (outcome === 'done') {
        onDone?.();
        this.say(done);
        return;
      }
      this.#troubles.set(id, this.#fail(outcome, message));
      this.#options.onChange();
    });
  }

  /** Writes what was typed at a key; undefined removes the key. */
  writeDraft(path: ConfigPath, value: unknown): void {
    if (this.isLocked) return;
    const ended = this.drafts.send(pathId(path));
    const make = (): ConfigEdit[] => {
      if (value !== undefined) return [setEdit(path, value)];
      return this.value(path) === undefined ? [] : [{ kind: 'remove', path: [...path] }];
    };
    this.#queue.push(make, (outcome, message) => {
      ended(outcome === 'done' ? '' : this.#fail(outcome, message));
      this.#options.onChange();
    });
  }

  fix(problem: number, fix: number): void {
    if (this.isLocked) return;
    this.post({ type: 'fix', version: this.state.version, problem, fix });
  }

  post(message: FormPageMessage): void {
    this.#options.post(message);
  }

  say(text: string): void {
    this.#options.say(text);
  }

  /** Shows a key and gives it the focus. */
  reveal(path: ConfigPath): void {
    this.#options.onReveal(path);
  }

  /** As `reveal`, as soon as the file has the key: somebody else is writing it. */
  revealWhenThere(path: ConfigPath): void {
    if (this.value(path) === undefined) this.#awaited = path;
    else this.reveal(path);
  }

  redraw(): void {
    this.#options.onChange();
  }

  #fail(outcome: EditOutcome, message: string): string {
    const trouble =
      message !== ''
        ? message
        : outcome === 'stale'
          ? 'The file was changed meanwhile. What you see is what it says now; try again.'
          : 'The file was not changed.';
    this.say(trouble);
    return trouble;
  }
}

/** An edit whose value is known to be JSON: it was typed here, or came with the state. */
export function setEdit(path: ConfigPath, value: unknown): ConfigEdit {
  return { kind: 'set', path: [...path], value } as ConfigEdit;
}
