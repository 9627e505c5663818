import type { Attachment } from './attachment.ts';

/**
 * The brief as the model reads it: what the person typed, then what they added. Every place is named as `file:line`, every text stands
 * in a fence that it cannot close, and what was cut or is not in the worktree is said.
 */
export function composeBrief(text: string, attachments: readonly Attachment[]): string {
  const typed = text.trim();
  const briefs = attachments.flatMap((each) => (each.kind === 'brief' ? [each.text.trim()] : []));
  const own = [typed, ...briefs].filter((part) => part !== '');
  const context = attachments.filter(
    (each): each is Exclude<Attachment, { kind: 'brief' }> => each.kind !== 'brief',
  );
  const files = context.flatMap((each) => (isReference(each) ? [`- ${nameOf(each.path)}`] : []));
  const blocks = context.filter((each) => !isReference(each)).map(blockOf);
  return [
    ...(own.length > 0 ? own : [instructionFor(context) ?? '']),
    ...(files.length > 0 ? [`Files this is about:\n\n${files.join('\n')}`] : []),
    ...blocks,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What is to be done when the person adds something and types nothing; null when that says nothing. */
export function instructionFor(attachments: readonly Attachment[]): string | null {
  const problems = attachments.filter((each) => each.kind === 'problem');
  const [problem] = problems;
  if (problem !== undefined)
    return problems.length === 1
      ? `Fix this problem: ${oneLine(problem.message)} (${placeOf(problem)})`
      : `Fix these ${problems.length} problems in ${shortList(problems.map(({ path }) => path))}.`;
  const todo = attachments.find((each) => each.kind === 'todo');
  if (todo !== undefined)
    return `Do what this comment asks for: ${oneLine(todo.comment)} (${placeOf(todo)})`;
  if (attachments.some((each) => each.kind === 'output'))
    return 'Find out why this fails, and fix it.';
  return null;
}

/** `src/range.ts:4`, or `src/range.ts:4-9`. */
export function placeOf(
  place:
    | { readonly path: string; readonly line: number }
    | { readonly path: string; readonly startLine: number; readonly endLine: number },
): string {
  if ('line' in place) return `${place.path}:${place.line}`;
  const { path, startLine, endLine } = place;
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}

function blockOf(attachment: Exclude<Attachment, { kind: 'brief' }>): string {
  switch (attachment.kind) {
    case 'selection': {
      const unsaved = attachment.isUnsaved
        ? ', with changes that are not saved and not in your copy'
        : '';
      return `${nameOf(placeOf(attachment))}${unsaved}:\n\n${fenceOf(attachment)}`;
    }
    case 'todo':
      return `${nameOf(placeOf(attachment))}:\n\n${fenceOf(attachment)}`;
    case 'file':
      return `${nameOf(attachment.path)}, which is not in your copy:\n\n${fenceOf({ ...attachment, text: attachment.text ?? '' })}`;
    case 'problem': {
      const { line, column, severity, source, message, path } = attachment;
      const by = source === '' ? '' : ` from ${oneLine(source)}`;
      const head = `${severity}${by} at ${nameOf(`${path}:${line}:${column}`)}:`;
      const quoted = fence(message, '');
      return `${head}\n\n${quoted}\n\nThe lines around it, from line ${attachment.startLine}:\n\n${fenceOf(attachment)}`;
    }
    case 'output':
      return `Output${attachment.isCut ? ' (its beginning is cut)' : ''}:\n\n${fence(attachment.text, 'text')}`;
  }
}

function isReference(
  attachment: Attachment,
): attachment is Extract<Attachment, { kind: 'file' }> & { text: null } {
  return attachment.kind === 'file' && attachment.text === null;
}

function fenceOf(excerpt: {
  readonly text: string;
  readonly language: string;
  readonly isCut: boolean;
}): string {
  const cut = excerpt.isCut ? '\n\n(cut here; the text goes on)' : '';
  return `${fence(excerpt.text, excerpt.language)}${cut}`;
}

/** A fence that is longer than any run of backticks in the text. */
function fence(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const ticks = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  const info = /^[\w+#.-]{1,40}$/.test(language) && language !== 'plaintext' ? language : '';
  const body = text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '\ufffd').replace(/\n+$/, '');
  return `${ticks}${info}\n${body}\n${ticks}`;
}

/** A path as code; one that could end the code, or the line, as JSON. */
function nameOf(path: string): string {
  // eslint-disable-next-line no-control-regex -- a file name may hold control characters
  return /[`\u0000-\u001f\u007f\u2028\u2029]/.test(path) ? JSON.stringify(path) : `\`${path}\``;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function shortList(paths: readonly string[]): string {
  const names = [...new Set(paths)];
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more files` : shown;
}
