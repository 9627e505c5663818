import { escapeMarkdown } from '../../base/markdownText.ts';
import type { HoverFacts } from './hoverAt.ts';

/** Whether a reference leads anywhere; never what it stands for. `name`: `env:NAME` or `secret:name`. Markdown. */
export function referenceLines(
  { doc, env }: Pick<HoverFacts, 'doc' | 'env'>,
  name: string,
): string[] {
  const bare = name.slice(name.indexOf(':') + 1);
  const shown = `**${escapeMarkdown(bare)}**`;
  if (name.startsWith('env:')) {
    const value = Object.hasOwn(env, bare) ? env[bare] : undefined;
    return [
      value === undefined || value === ''
        ? `The variable ${shown} is not set for this window. Set it for the program that starts VS Code.`
        : `The variable ${shown} is set for this window.`,
    ];
  }
  const { secrets } = doc.live;
  if (secrets === null) return [`The secret ${shown}. Whether it is kept is not known yet.`];
  return [
    secrets.includes(bare)
      ? `The secret ${shown} is kept.`
      : `No secret ${shown} is kept yet. Set it with the command "Set a Secret" or with "delegate secret set".`,
  ];
}
