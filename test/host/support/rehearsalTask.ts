/** A brief whose first line is `title` and whose script the rehearsal server plays, one action a line: see parseScript.ts. */
export function rehearsalTask(title: string, ...lines: readonly string[]): string {
  return [title, '', '```rehearsal', ...lines, '```'].join('\n');
}
