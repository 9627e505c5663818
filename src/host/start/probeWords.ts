import { sanitiseLine } from '../../base/sanitise.ts';
import type { Locality } from '../../protocol/job.ts';
import { formatCount, formatPlural } from '../../protocol/statusLineParts.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';

export type Probe = UiAnswer<'try_endpoint'>['probe'];

const KINDS: Readonly<Record<string, string>> = {
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  litellm: 'LiteLLM',
  bifrost: 'Bifrost',
  anthropic: 'Anthropic',
  openai: 'A server with the OpenAI API',
};
const FORMATS: Readonly<Record<string, string>> = { anthropic: 'Anthropic', openai: 'OpenAI' };
const SHOWN_MODELS = 3;

/** What kind of server answered, as it is called. */
export function kindWords({ backend }: Pick<Probe, 'backend'>): string {
  return KINDS[backend] ?? 'A model server';
}

/** Models, window and slots of a server that is up; why it cannot be used when it is down. One line, made safe to show. */
export function probeWords(probe: Probe): string {
  if (probe.state === 'down')
    return sanitiseLine(`${probe.message ?? 'It does not answer.'} ${probe.hint}`, 300);
  const names = probe.models.slice(0, SHOWN_MODELS).map(({ id }) => id);
  const more = probe.models.length - names.length;
  const windows = probe.models.flatMap(({ context }) => (context === null ? [] : [context]));
  const parts = [
    names.length === 0
      ? probe.listsModels
        ? 'serves no model now'
        : 'does not list its models'
      : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    windows.length === 0 ? 'window unknown' : `window ${formatCount(Math.max(...windows))}`,
    ...(probe.slots === null ? [] : [formatPlural(probe.slots.total, 'slot')]),
  ];
  return sanitiseLine(parts.join(' · '), 300);
}

/** Which requests it understands, and whether a model calls tools. Empty when neither is known. One line, made safe to show. */
export function abilityWords({
  formats,
  tools,
}: Pick<UiAnswer<'try_endpoint'>, 'formats' | 'tools'>): string {
  const names = formats.map((format) => FORMATS[format] ?? format);
  const parts = [
    ...(names.length === 0 ? [] : [`speaks the format of ${names.join(' and ')}`]),
    ...(tools === null ? [] : [tools.why]),
  ];
  return sanitiseLine(parts.join(' · '), 300);
}

/** Where requests to this place go, and what that means for what is sent there. */
export function placeWords(locality: Locality, baseUrl: string): string {
  const host = sanitiseLine(URL.parse(baseUrl)?.host ?? baseUrl, 100);
  switch (locality) {
    case 'local':
      return 'On this machine: nothing leaves it.';
    case 'lan':
      return `In your network: briefs and files of jobs are sent to ${host}. Counts as near, so local-only jobs may use it.`;
    case 'rented':
    case 'cloud':
      return `Outside your network: briefs and files of jobs are sent to ${host}. Counts as ${locality}, so local-only jobs do not use it.`;
    case 'unknown':
      return `It is not known where ${host} sends requests: briefs and files may go further. Local-only jobs do not use it.`;
  }
}
