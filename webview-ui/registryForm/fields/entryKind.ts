import type { ConfigEdit } from '../../../src/protocol/modelsLanguage/configEdit.ts';
import type { Form } from '../form.ts';

/** What an entry shows beside its keys. */
export interface EntryDetails {
  /** In the head, beside the name. */
  readonly summary: HTMLElement;
  /** Above the keys of an unfolded entry. */
  readonly body: HTMLElement | null;
  show(isOpen: boolean): void;
}

/** What sets the entries of a key apart from those of others. */
export interface EntryKind {
  /** `endpoint`, `pool`, …: how one is called. */
  readonly noun: string;
  readonly nameLabel: string;
  /** Their order means something. */
  readonly isOrdered: boolean;
  /** A key that a new entry is of no use without: it is asked for with the name. */
  readonly firstKey: string | null;
  readonly empty: string;
  readonly makeDetails: (form: Form, name: string) => EntryDetails | null;
  /** What would miss the entry, as sentences without an end. */
  readonly dependents: (form: Form, name: string) => readonly string[];
  /** What else of the file says the old name. */
  readonly renameAlso: (form: Form, name: string, to: string) => ConfigEdit[];
}
