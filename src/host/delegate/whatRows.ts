import { sanitiseLine } from '../../base/sanitise.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { Attachment } from './attachment.ts';
import { instructionFor, placeOf } from './composeBrief.ts';
import { escapeIcons } from './escapeIcons.ts';
import { heading, type StepRow } from './stepRow.ts';

export type Addition =
  'selection' | 'file' | 'problems' | 'other-file' | 'clipboard-brief' | 'clipboard-output';

export type WhatAct =
  | { readonly kind: 'next' }
  | { readonly kind: 'add'; readonly what: Addition }
  | { readonly kind: 'remove'; readonly attachment: Attachment }
  | { readonly kind: 'editor' }
  | { readonly kind: 'again' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'command'; readonly command: string };

/** What could be added from where the person is; null and 0 for what is not there. */
export interface Surroundings {
  readonly selection: {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
  } | null;
  readonly file: string | null;
  readonly problems: number;
  /** First line of what was delegated last. */
  readonly lastBrief: string | null;
}

export interface WhatBlocker {
  readonly text: string;
  readonly label: string;
  readonly command: string;
}

/** Whether there is something to hand over. */
export function saysSomething(text: string, attachments: readonly Attachment[]): boolean {
  if (text.trim() !== '' || instructionFor(attachments) !== null) return true;
  return attachments.some((each) => each.kind === 'brief' && each.text.trim() !== '');
}

/** The rows of the step What: on with it, what was added, what could be. */
export function whatRows(
  text: string,
  attachments: readonly Attachment[],
  around: Surroundings,
  blocker: WhatBlocker | null,
): StepRow<WhatAct>[] {
  const isEmpty = text.trim() === '' && attachments.length === 0;
  return [
    ...(blocker === null ? [nextRow(text, attachments)] : blockerRows(blocker)),
    ...(attachments.length > 0 ? [heading('Added · Enter removes'), ...attachments.map(row)] : []),
    heading('Add'),
    ...additionRows(around, attachments),
    {
      icon: 'edit',
      label: 'Write the brief in an editor',
      description: 'for more than a line or two',
      act: { kind: 'editor' },
    },
    ...(isEmpty && around.lastBrief !== null
      ? [
          {
            icon: 'history',
            label: 'Delegate Again',
            description: escapeIcons(sanitiseLine(around.lastBrief, 100)),
            act: { kind: 'again' } as const,
          },
        ]
      : []),
    ...(isEmpty
      ? []
      : [{ icon: 'clear-all', label: 'Start over', act: { kind: 'clear' } as const } as const]),
  ];
}

function nextRow(text: string, attachments: readonly Attachment[]): StepRow<WhatAct> {
  if (!saysSomething(text, attachments))
    return { icon: 'comment', label: 'Say what is to be done', act: null };
  const instruction = text.trim() === '' ? instructionFor(attachments) : null;
  return {
    icon: 'arrow-right',
    label: 'Next',
    description: instruction === null ? 'who does it' : escapeIcons(sanitiseLine(instruction, 120)),
    act: { kind: 'next' },
  };
}

function blockerRows({ text, label, command }: WhatBlocker): StepRow<WhatAct>[] {
  return [
    { icon: 'warning', label: escapeIcons(sanitiseLine(text, 200)), act: null },
    {
      icon: 'arrow-right',
      label: label,
      description: 'what you typed is kept',
      act: { kind: 'command', command },
    },
  ];
}

function additionRows(
  around: Surroundings,
  attachments: readonly Attachment[],
): StepRow<WhatAct>[] {
  const add = (
    what: Addition,
    icon: string,
    label: string,
    description?: string,
  ): StepRow<WhatAct> => ({
    icon,
    label,
    ...(description === undefined ? {} : { description: escapeIcons(sanitiseLine(description)) }),
    act: { kind: 'add', what },
  });
  const places = new Set(
    attachments.map((each) =>
      each.kind === 'selection' ? placeOf(each) : each.kind === 'file' ? each.path : '',
    ),
  );
  const { selection, file, problems } = around;
  return [
    ...(selection === null || places.has(placeOf(selection))
      ? []
      : [add('selection', 'list-selection', 'The selection', placeOf(selection))]),
    ...(file === null || places.has(file) ? [] : [add('file', 'file', 'The file in front', file)]),
    ...(problems === 0
      ? []
      : [add('problems', 'lightbulb', 'Its problems', formatPlural(problems, 'problem'))]),
    add('other-file', 'files', 'A file…'),
    add('clipboard-output', 'terminal', 'Output from the clipboard', 'a failing test, a log'),
    add('clipboard-brief', 'clippy', 'The brief from the clipboard'),
  ];
}

function row(attachment: Attachment): StepRow<WhatAct> {
  const act = { kind: 'remove', attachment } as const;
  const of = (icon: string, label: string, description = ''): StepRow<WhatAct> => ({
    icon,
    label: escapeIcons(sanitiseLine(label, 120)),
    ...(description === '' ? {} : { description: escapeIcons(sanitiseLine(description, 140)) }),
    act,
  });
  switch (attachment.kind) {
    case 'selection':
      return of(
        'list-selection',
        placeOf(attachment),
        [
          formatPlural(attachment.endLine - attachment.startLine + 1, 'line'),
          attachment.isCut ? 'cut' : '',
          attachment.isUnsaved ? 'not saved' : '',
        ]
          .filter((part) => part !== '')
          .join(' · '),
      );
    case 'todo':
      return of('checklist', attachment.comment, placeOf(attachment));
    case 'file':
      return of('file', attachment.path, attachment.text === null ? '' : 'with its text');
    case 'problem':
      return of(
        attachment.severity === 'error' ? 'error' : 'warning',
        attachment.message,
        placeOf(attachment),
      );
    case 'brief':
      return of(
        'note',
        briefLine(attachment.text),
        formatPlural(attachment.text.trim().split('\n').length, 'line'),
      );
    case 'output':
      return of(
        'terminal',
        briefLine(attachment.text),
        `${formatPlural(attachment.text.split('\n').length, 'line')}${attachment.isCut ? ' · cut' : ''}`,
      );
  }
}
