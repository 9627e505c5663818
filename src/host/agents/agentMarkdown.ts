import { agentModelText } from '../../protocol/agentModelText.ts';
import { escapeMarkdown } from '../../base/markdownText.ts';
import type { CheckedAgent } from './agentChecks.ts';

const SOURCES: Readonly<Record<CheckedAgent['source'], string>> = {
  'project-agent': 'agent of this project',
  'project-skill': 'skill of this project',
  global: 'agent of yours',
};
const MAX_LENGTH = 600;

/** What a job of a definition would really get. All of it is foreign text, so all of it is escaped. */
export function agentMarkdown(agent: CheckedAgent): string {
  const { name, source, isUsable, shadowedBy, declaredModel, tools } = agent;
  const line = (label: string, text: string): string =>
    `${label}: ${escapeMarkdown(text, MAX_LENGTH)}`;
  const head = `**${escapeMarkdown(name)}** · ${SOURCES[source]}`;
  if (!isUsable) return `${head}\n\nA job that names it fails; the problems of this file say why.`;
  const facts = [
    line('Model', agentModelText(agent)),
    ...(declaredModel === null
      ? []
      : [line('"model:" of this file has no effect in a job', declaredModel)]),
    line('Tools of a job that may write', tools.join(', ')),
    ...(shadowedBy === null ? [] : [line('Not this file is used, but', shadowedBy)]),
  ];
  return [head, ...facts].join('\n\n');
}
