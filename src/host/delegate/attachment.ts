/** Lines of a file, as they stand in the editor. */
interface Excerpt {
  /** Relative to the folder of the job where it lies below it, else absolute. */
  readonly path: string;
  /** VS Code's id of the language, such as `typescript`. */
  readonly language: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The text was longer than what is sent. */
  readonly isCut: boolean;
}

/** Something that goes to the model beside what the person types. It is kept with the draft, so it is plain data. */
export type Attachment =
  | ({
      readonly kind: 'selection';
      /** The file has changes that are not saved: a worktree does not have them. */
      readonly isUnsaved: boolean;
    } & Excerpt)
  | ({
      readonly kind: 'todo';
      /** The comment itself: `TODO: handle negative steps`. */
      readonly comment: string;
    } & Excerpt)
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly language: string;
      /** Only of a file that a worktree does not have, and only when the person said so. */
      readonly text: string | null;
      readonly isCut: boolean;
    }
  | ({
      readonly kind: 'problem';
      readonly line: number;
      readonly column: number;
      readonly severity: 'error' | 'warning' | 'information' | 'hint';
      /** Who says so, with its code: `ts 2322`; empty when it does not say. */
      readonly source: string;
      readonly message: string;
    } & Excerpt)
  /** A text that the person wrote elsewhere, line ends and all. */
  | { readonly kind: 'brief'; readonly text: string }
  /** What a program printed: a failing test, a log. */
  | { readonly kind: 'output'; readonly text: string; readonly isCut: boolean };

/** The same thing again takes the place of what was there. */
export function withAttachment(all: readonly Attachment[], added: Attachment): Attachment[] {
  const key = keyOf(added);
  return [...all.filter((each) => keyOf(each) !== key), added];
}

function keyOf(attachment: Attachment): string {
  const { kind } = attachment;
  switch (kind) {
    case 'brief':
    case 'output':
      return kind;
    case 'file':
      return `${kind}:${attachment.path}`;
    case 'selection':
    case 'todo':
      return `${kind}:${attachment.path}:${attachment.startLine}-${attachment.endLine}`;
    case 'problem':
      return `${kind}:${attachment.path}:${attachment.line}:${attachment.column}:${attachment.message}`;
  }
}
