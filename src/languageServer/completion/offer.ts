/** Something that may be written at the cursor, before it is put into the text. */
export interface Offer {
  readonly label: string;
  /** word: written as it is (true, 3, auto). text: quoted where it has to be. */
  readonly kind:
    'key' | 'group' | 'word' | 'text' | 'model' | 'endpoint' | 'variable' | 'secret' | 'entry';
  /** Right of the label, short. */
  readonly detail?: string;
  /** Plain text. */
  readonly about?: string;
  /** What stands first comes first; the order of the offers within the same one. */
  readonly rank?: number;
  /** For a key: what follows its name, as a snippet with lines that are indented from the key on. */
  readonly block?: string;
  /** For a key in flow style. */
  readonly flow?: string;
  /** There are words to choose from at once. */
  readonly asksOn?: boolean;
}
