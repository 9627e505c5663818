import { isInactivePath } from '../src/config/checkInactive.ts';
import { isPrivilegedPath } from '../src/config/trust.ts';
import { formFields } from '../src/languageServer/form/formFields.ts';
import type { FormField } from '../src/protocol/modelsLanguage/formState.ts';

const INTRO = `# models.yaml, key by key

Generated from the schema; \`npm run generate\` writes it again. [models.example.yaml](../models.example.yaml) has the same keys as a file to copy
from, and the editor of VS Code, the form and \`delegate doctor\` know them as well. What the keys are for is in the [README](../README.md).

A free name is written \`*\`. Marks: **trust**: in a file that comes with a repository a change of this key asks for \`delegate trust\` again.
**not yet**: it is understood and checked, and has no effect in this version.
`;

/** Longer defaults are told by their first values; the example file has them whole. */
const MAX_DEFAULT_LENGTH = 60;

/** The text of docs/models-yaml.md: a table for each section, made from the fields of the form. */
export function modelsYamlPage(): string {
  const sections = formFields().fields ?? [];
  return `${[INTRO, ...sections.map(sectionText)].join('\n').trimEnd()}\n`;
}

function sectionText(section: FormField): string {
  const rows = rowsOf(section, [section.key]);
  const head = `## ${section.key}\n\n${plain(section.description)}${marks([section.key])}\n`;
  return [
    head,
    '| key | takes | default | meaning |',
    '| --- | --- | --- | --- |',
    ...(rows.length === 0 ? [row(section, [section.key])] : rows),
    '',
  ].join('\n');
}

function rowsOf(field: FormField, path: readonly string[]): string[] {
  if (field.kind === 'entries' && field.entry !== undefined)
    return rowsOf(field.entry, [...path, '*']);
  return (field.fields ?? []).flatMap((each) => {
    const here = [...path, each.key];
    const below = rowsOf(each, here);
    return below.length === 0 ? [row(each, here)] : below;
  });
}

function row(field: FormField, path: readonly string[]): string {
  const name = path.length === 1 ? path : path.slice(1);
  const cells = [
    code(name.join('.')),
    takes(field),
    defaultText(field),
    `${plain(field.description)}${marks(path)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function takes(field: FormField): string {
  const choices = (field.choices ?? []).map(code).join(', ');
  const number = (what: string): string =>
    [
      what,
      ...(field.minimum === undefined ? [] : [`from ${field.minimum}`]),
      ...(field.maximum === undefined ? [] : [`to ${field.maximum}`]),
    ].join(' ');
  switch (field.kind) {
    case 'group':
    case 'entries':
      return 'keys of its own';
    case 'chains':
      return 'names, each with a list';
    case 'map':
      return 'names, each with a text';
    case 'textOrMap':
      return 'a text, or one for each pattern';
    case 'text':
      return 'a text';
    case 'longText':
      return 'a text, several lines too';
    case 'integer':
      return number('a whole number');
    case 'number':
      return number('a number');
    case 'numberOrAuto':
      return `${choices}, or ${number('a number')}`;
    case 'switch':
      return '`true`, `false`';
    case 'switchOrWord':
      return `\`true\`, \`false\`, ${choices}`;
    case 'choice':
      return choices;
    case 'list':
      return 'a list';
    case 'choiceList':
      return `a list of ${choices}`;
    case 'listOrWord':
      return `a list, or ${choices}`;
  }
}

function defaultText({ default: value, example }: FormField): string {
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    /^(\{\}|\[\])$/.test(JSON.stringify(value));
  if (isEmpty) return example === undefined ? '' : `such as ${code(shown(example))}`;
  return code(shown(value));
}

function shown(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DEFAULT_LENGTH ? line : `${line.slice(0, MAX_DEFAULT_LENGTH - 1)}…`;
}

function marks(path: readonly string[]): string {
  const found = [
    ...(isPrivilegedPath(path) ? ['**trust**'] : []),
    ...(isInactive(path) ? ['**not yet**'] : []),
  ];
  return found.length === 0 ? '' : ` ${found.join(' ')}`;
}

/** Of a group that has no effect no key has one. */
function isInactive(path: readonly string[]): boolean {
  return path.some((_, index) => isInactivePath(path.slice(0, index + 1)));
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}

/** Descriptions are plain text: what Markdown would take for marks is none. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_<>|[\]]/g, '\\$&');
}
